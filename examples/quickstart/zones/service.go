package zones

import (
	"context"
	"time"

	"github.com/capgen/capgen/capabilities"
)

// Service answers the package's capabilities. It is safe for concurrent use.
type Service struct {
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

var _ Handlers = (*Service)(nil)

func (s *Service) now() time.Time {
	if s.Now == nil {
		return time.Now()
	}
	return s.Now()
}

// ZoneFind finds zones by their names.
func (s *Service) ZoneFind(_ context.Context, in ZoneFind) (Found, error) {
	matches := search(in.Query)
	at, limit := in.At, in.Limit
	if at.IsZero() {
		at = s.now()
	}
	if limit == 0 {
		limit = 10
	}
	found := Found{Total: len(matches)}
	for _, name := range matches[:min(len(matches), limit)] {
		zone, err := load(ZoneName(name))
		if err != nil {
			return Found{}, err
		}
		found.Zones = append(found.Zones, Zone{Name: ZoneName(name), Clock: clockAt(at.In(zone))})
	}
	return found, nil
}

// TimeConvert converts a time between zones.
func (s *Service) TimeConvert(_ context.Context, in TimeConvert) (Conversion, error) {
	if in.From == "" {
		in.From = "UTC"
	}
	from, err := load(in.From)
	if err != nil {
		return Conversion{}, err
	}
	instant, occurs, err := s.instant(in, from)
	if err != nil {
		return Conversion{}, err
	}
	conversion := Conversion{Instant: instant.UTC(), Occurs: occurs, From: readingAt(instant.In(from), in.From)}
	for _, name := range in.To {
		zone, err := load(name)
		if err != nil {
			return Conversion{}, err
		}
		conversion.To = append(conversion.To, readingAt(instant.In(zone), name))
	}
	return conversion, nil
}

func (s *Service) instant(in TimeConvert, from *time.Location) (time.Time, Occurrence, error) {
	if in.Time == "" {
		return s.now().Truncate(time.Second), Once, nil
	}
	layout := "2006-01-02T15:04:05"
	wall, err := time.Parse(layout[:len(in.Time)], in.Time)
	if err != nil {
		return time.Time{}, "", capabilities.Errorf("invalid_time", "no calendar or clock shows %s: write a date that exists and a time from 00:00 to 23:59:59", in.Time)
	}
	instant, occurs := instantOf(wall, from, in.Prefer)
	return instant, occurs, nil
}

// ZoneTransitions lists the changes of a zone's clock.
func (s *Service) ZoneTransitions(_ context.Context, in ZoneTransitions) (Transitions, error) {
	zone, err := load(in.Zone)
	if err != nil {
		return Transitions{}, err
	}
	start := time.Date(in.Year, time.January, 1, 0, 0, 0, 0, time.UTC).In(zone)
	end := time.Date(in.Year+1, time.January, 1, 0, 0, 0, 0, time.UTC)
	answer := Transitions{Start: clockAt(start)}
	// The instant before the year, so that a change at its very beginning is one of its own.
	_, change := start.Add(-time.Nanosecond).ZoneBounds()
	for !change.IsZero() && change.Before(end) {
		if t := transition(change); t.Before != t.After {
			answer.Transitions = append(answer.Transitions, t)
		}
		_, change = change.ZoneBounds()
	}
	return answer, nil
}

// transition describes the change at an instant, which is given in the zone.
func transition(at time.Time) Transition {
	previous := at.Add(-time.Nanosecond)
	t := Transition{At: at.UTC(), Shift: None, Before: clockAt(previous), After: clockAt(at)}
	switch before, after := offsetAt(previous), offsetAt(at); {
	case after > before:
		t.Shift = Forward
	case after < before:
		t.Shift = Back
	}
	return t
}
