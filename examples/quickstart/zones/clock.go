package zones

import (
	"fmt"
	"time"
)

// clockAt tells how a zone counts its time at an instant, which is given in the zone.
func clockAt(t time.Time) Clock {
	abbreviation, offset := t.Zone()
	return Clock{Abbreviation: abbreviation, Offset: formatOffset(offset), DST: t.IsDST()}
}

// formatOffset writes seconds east of UTC as +hh:mm, or +hh:mm:ss for the local mean times of long ago.
func formatOffset(seconds int) string {
	sign := '+'
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	text := fmt.Sprintf("%c%02d:%02d", sign, seconds/3600, seconds/60%60)
	if seconds%60 != 0 {
		text += fmt.Sprintf(":%02d", seconds%60)
	}
	return text
}

func readingAt(t time.Time, zone ZoneName) Reading {
	return Reading{Zone: zone, Local: t.Format("2006-01-02T15:04:05"), Weekday: t.Weekday().String(), Clock: clockAt(t)}
}

// instantOf returns the instant at which a zone's clock shows what wall, a time in UTC, shows. Of two such instants prefer
// chooses one. A skipped time is counted on from the clock before the change: at 02:30 on a night without the hour from two to three
// it is 03:30.
func instantOf(wall time.Time, zone *time.Location, prefer Preference) (time.Time, Occurrence) {
	guess := time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), wall.Second(), 0, zone)
	start, end := guess.ZoneBounds()
	instants := []time.Time{guess}
	for _, change := range []time.Time{start, end} {
		if change.IsZero() {
			continue
		}
		before := wall.Add(-offsetAt(change.Add(-time.Nanosecond))).In(zone)
		after := wall.Add(-offsetAt(change)).In(zone)
		switch {
		case before.Before(change) && !after.Before(change):
			// Both clocks show it, each on its own side of the change.
			instants = []time.Time{before, after}
		case !before.Before(change) && after.Before(change):
			// Neither does: each clock would show it on the other's side.
			return before, Skipped
		}
	}
	if len(instants) == 1 {
		return guess, Once
	}
	if prefer == Later {
		return instants[1], Twice
	}
	return instants[0], Twice
}

func offsetAt(t time.Time) time.Duration {
	_, offset := t.Zone()
	return time.Duration(offset) * time.Second
}
