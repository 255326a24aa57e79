package zones

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/capabilities"
)

// service is one whose clock stands at noon, UTC, of a summer day in the north.
var service = &Service{Now: func() time.Time { return time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC) }}

func call[In capabilities.Declared[In, Out], Out any](t *testing.T, in In) (Out, error) {
	t.Helper()
	registry, err := capabilities.NewRegistry(Bind(service))
	if err != nil {
		t.Fatal(err)
	}
	return capabilities.Call(t.Context(), registry, in)
}

func TestTimeConvert(t *testing.T) {
	for _, test := range []struct {
		name string
		in   TimeConvert
		want string // instant, occurrence, then each clock
	}{
		{"between cities", TimeConvert{Time: "2026-01-15T09:00", From: "Europe/Berlin", To: []ZoneName{"America/New_York", "Asia/Tokyo"}},
			"2026-01-15T08:00:00Z once; Thursday 2026-01-15T09:00:00+01:00 CET; Thursday 2026-01-15T03:00:00-05:00 EST; Thursday 2026-01-15T17:00:00+09:00 JST"},
		{"from UTC", TimeConvert{Time: "2026-07-15T23:30:15", To: []ZoneName{"Asia/Kathmandu"}},
			"2026-07-15T23:30:15Z once; Wednesday 2026-07-15T23:30:15+00:00 UTC; Thursday 2026-07-16T05:15:15+05:45 +0545"},
		{"now", TimeConvert{To: []ZoneName{"Australia/Sydney"}},
			"2026-07-01T12:00:00Z once; Wednesday 2026-07-01T12:00:00+00:00 UTC; Wednesday 2026-07-01T22:00:00+10:00 AEST"},
		{"last second before a gap", TimeConvert{Time: "2026-03-29T01:59:59", From: "Europe/Berlin", To: []ZoneName{"UTC"}},
			"2026-03-29T00:59:59Z once; Sunday 2026-03-29T01:59:59+01:00 CET; Sunday 2026-03-29T00:59:59+00:00 UTC"},
		{"in a gap", TimeConvert{Time: "2026-03-29T02:30", From: "Europe/Berlin", To: []ZoneName{"UTC"}},
			"2026-03-29T01:30:00Z skipped; Sunday 2026-03-29T03:30:00+02:00 CEST; Sunday 2026-03-29T01:30:00+00:00 UTC"},
		{"in a gap west of Greenwich", TimeConvert{Time: "2026-03-08T02:00", From: "America/New_York", To: []ZoneName{"UTC"}, Prefer: Later},
			"2026-03-08T07:00:00Z skipped; Sunday 2026-03-08T03:00:00-04:00 EDT; Sunday 2026-03-08T07:00:00+00:00 UTC"},
		{"after a gap", TimeConvert{Time: "2026-03-29T03:00", From: "Europe/Berlin", To: []ZoneName{"UTC"}},
			"2026-03-29T01:00:00Z once; Sunday 2026-03-29T03:00:00+02:00 CEST; Sunday 2026-03-29T01:00:00+00:00 UTC"},
		{"in an overlap", TimeConvert{Time: "2026-10-25T02:30", From: "Europe/Berlin", To: []ZoneName{"UTC"}},
			"2026-10-25T00:30:00Z twice; Sunday 2026-10-25T02:30:00+02:00 CEST; Sunday 2026-10-25T00:30:00+00:00 UTC"},
		{"the later one", TimeConvert{Time: "2026-10-25T02:30", From: "Europe/Berlin", To: []ZoneName{"UTC"}, Prefer: Later},
			"2026-10-25T01:30:00Z twice; Sunday 2026-10-25T02:30:00+01:00 CET; Sunday 2026-10-25T01:30:00+00:00 UTC"},
		{"first second of an overlap", TimeConvert{Time: "2026-10-25T02:00", From: "Europe/Berlin", To: []ZoneName{"UTC"}, Prefer: Later},
			"2026-10-25T01:00:00Z twice; Sunday 2026-10-25T02:00:00+01:00 CET; Sunday 2026-10-25T01:00:00+00:00 UTC"},
		{"after an overlap", TimeConvert{Time: "2026-10-25T03:00", From: "Europe/Berlin", To: []ZoneName{"UTC"}},
			"2026-10-25T02:00:00Z once; Sunday 2026-10-25T03:00:00+01:00 CET; Sunday 2026-10-25T02:00:00+00:00 UTC"},
		{"an overlap of half an hour", TimeConvert{Time: "2026-04-05T01:45", From: "Australia/Lord_Howe", To: []ZoneName{"UTC"}, Prefer: Later},
			"2026-04-04T15:15:00Z twice; Sunday 2026-04-05T01:45:00+10:30 +1030; Saturday 2026-04-04T15:15:00+00:00 UTC"},
		{"a day that Samoa skipped", TimeConvert{Time: "2011-12-30T12:00", From: "Pacific/Apia", To: []ZoneName{"UTC"}},
			"2011-12-30T22:00:00Z skipped; Saturday 2011-12-31T12:00:00+14:00 +14; Friday 2011-12-30T22:00:00+00:00 UTC"},
		{"a local mean time", TimeConvert{Time: "1900-06-01T12:00", From: "Africa/Monrovia", To: []ZoneName{"UTC"}},
			"1900-06-01T12:43:08Z once; Friday 1900-06-01T12:00:00-00:43:08 MMT; Friday 1900-06-01T12:43:08+00:00 UTC"},
		{"the last second there is", TimeConvert{Time: "2099-12-31T23:59:59", From: "Pacific/Pago_Pago", To: []ZoneName{"Pacific/Kiritimati"}},
			"2100-01-01T10:59:59Z once; Thursday 2099-12-31T23:59:59-11:00 SST; Saturday 2100-01-02T00:59:59+14:00 +14"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := call[TimeConvert, Conversion](t, test.in)
			if err != nil {
				t.Fatal(err)
			}
			text := got.Instant.Format(time.RFC3339) + " " + string(got.Occurs)
			for _, r := range append([]Reading{got.From}, got.To...) {
				text += fmt.Sprintf("; %s %s%s %s", r.Weekday, r.Local, r.Clock.Offset, r.Clock.Abbreviation)
			}
			if text != test.want {
				t.Errorf("got  %s\nwant %s", text, test.want)
			}
		})
	}
}

func TestZoneTransitions(t *testing.T) {
	for _, test := range []struct {
		zone ZoneName
		year int
		want string // the first clock, then each change
	}{
		{"Europe/Berlin", 2026, "CET+01:00; 2026-03-29T01:00:00Z forward CEST+02:00 dst; 2026-10-25T01:00:00Z back CET+01:00"},
		{"America/New_York", 2026, "EST-05:00; 2026-03-08T07:00:00Z forward EDT-04:00 dst; 2026-11-01T06:00:00Z back EST-05:00"},
		{"Australia/Lord_Howe", 2026, "+11+11:00 dst; 2026-04-04T15:00:00Z back +1030+10:30; 2026-10-03T15:30:00Z forward +11+11:00 dst"},
		{"Europe/Berlin", 2098, "CET+01:00; 2098-03-30T01:00:00Z forward CEST+02:00 dst; 2098-10-26T01:00:00Z back CET+01:00"},
		{"Asia/Kolkata", 2026, "IST+05:30"},
		{"UTC", 2026, "UTC+00:00"},
		{"Pacific/Apia", 2011, "-10-10:00 dst; 2011-04-02T14:00:00Z back -11-11:00; 2011-09-24T14:00:00Z forward -10-10:00 dst; 2011-12-30T10:00:00Z forward +14+14:00 dst"},
		// Turkey went from summer time to the same clock under another name.
		{"Europe/Istanbul", 2016, "EET+02:00; 2016-03-27T01:00:00Z forward EEST+03:00 dst; 2016-09-06T21:00:00Z none +03+03:00"},
		{"Africa/Monrovia", 1972, "MMT-00:44:30; 1972-01-07T00:44:30Z forward GMT+00:00"},
	} {
		t.Run(fmt.Sprint(test.zone, " ", test.year), func(t *testing.T) {
			got, err := call[ZoneTransitions, Transitions](t, ZoneTransitions{Zone: test.zone, Year: test.year})
			if err != nil {
				t.Fatal(err)
			}
			text, before := describe(got.Start), got.Start
			for _, change := range got.Transitions {
				text += fmt.Sprintf("; %s %s %s", change.At.Format(time.RFC3339), change.Shift, describe(change.After))
				if change.Before != before {
					t.Errorf("the clock before %s is %v, and was %v", change.At, change.Before, before)
				}
				before = change.After
			}
			if text != test.want {
				t.Errorf("got  %s\nwant %s", text, test.want)
			}
		})
	}
}

func describe(c Clock) string {
	text := c.Abbreviation + c.Offset
	if c.DST {
		text += " dst"
	}
	return text
}

func TestZoneFind(t *testing.T) {
	for _, test := range []struct {
		in    ZoneFind
		want  string
		total int
	}{
		{ZoneFind{Query: "Europe/Berlin"}, "Europe/Berlin CEST", 1},
		{ZoneFind{Query: "berlin", At: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}, "Europe/Berlin CET", 1},
		{ZoneFind{Query: " New York "}, "America/New_York EDT", 1},
		{ZoneFind{Query: "utc"}, "UTC UTC; Etc/UTC UTC", 2},
		{ZoneFind{Query: "indiana/", Limit: 2}, "America/Indiana/Indianapolis EDT; America/Indiana/Knox CDT", 8},
		{ZoneFind{Query: "york"}, "America/New_York EDT", 1},
		{ZoneFind{Query: "atlantis"}, "", 0},
	} {
		t.Run(test.in.Query, func(t *testing.T) {
			got, err := call[ZoneFind, Found](t, test.in)
			if err != nil {
				t.Fatal(err)
			}
			var zones []string
			for _, zone := range got.Zones {
				zones = append(zones, string(zone.Name)+" "+zone.Clock.Abbreviation)
			}
			if text := strings.Join(zones, "; "); text != test.want || got.Total != test.total {
				t.Errorf("got  %s of %d\nwant %s of %d", text, got.Total, test.want, test.total)
			}
		})
	}
}

func TestUnknownZone(t *testing.T) {
	for _, test := range []struct{ zone, want string }{
		{"europe/berlin", `there is no zone "europe/berlin": did you mean Europe/Berlin?`},
		{"Europe/Belrin", `there is no zone "Europe/Belrin": did you mean Europe/Berlin?`},
		{"Germany/Berlin", `there is no zone "Germany/Berlin": did you mean Europe/Berlin?`},
		{"New York", `there is no zone "New York": did you mean America/New_York?`},
		{"Asia/Calcuta", `there is no zone "Asia/Calcuta": did you mean Asia/Calcutta?`},
		{"../../etc/passwd", `there is no zone "../../etc/passwd", and none has a name like it: find its name with zone_find`},
		{"Local", `there is no zone "Local", and none has a name like it: find its name with zone_find`},
		{"America/", `there is no zone "America/": did you mean America/Adak, America/Anchorage, America/Anguilla, America/Antigua, America/Araguaina?`},
	} {
		_, err := call[ZoneTransitions, Transitions](t, ZoneTransitions{Zone: ZoneName(test.zone), Year: 2026})
		var declined *capabilities.Error
		if !errors.As(err, &declined) || declined.Code != "unknown_zone" || declined.Text != test.want {
			t.Errorf("got  %v\nwant unknown_zone: %s", err, test.want)
		}
	}
}

func TestRefusals(t *testing.T) {
	to := []ZoneName{"UTC"}
	for _, test := range []struct {
		in   TimeConvert
		want string
	}{
		{TimeConvert{Time: "2026-02-29T12:00", To: to}, "invalid_time: no calendar or clock shows 2026-02-29T12:00: write a date that exists and a time from 00:00 to 23:59:59"},
		{TimeConvert{Time: "2026-02-28T24:00", To: to}, "invalid_time: no calendar or clock shows 2026-02-28T24:00: write a date that exists and a time from 00:00 to 23:59:59"},
		{TimeConvert{To: []ZoneName{"UTC", "Utopia"}}, `unknown_zone: there is no zone "Utopia", and none has a name like it: find its name with zone_find`},
		{TimeConvert{From: "Lemuria", To: to}, `unknown_zone: there is no zone "Lemuria", and none has a name like it: find its name with zone_find`},
		{TimeConvert{Time: "9 o'clock", Prefer: "never", To: to}, "/prefer: must be one of"},
		{TimeConvert{Time: "9 o'clock", To: to}, "/time: must match the pattern"},
		{TimeConvert{}, "/to: must have at least 1 item"},
		{TimeConvert{To: slices.Repeat(to, 2)}, "/to: must have no two equal items"},
	} {
		if _, err := call[TimeConvert, Conversion](t, test.in); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
	}
}

// The binding's default of "limit" is the one that the schema tells of.
func TestDefaults(t *testing.T) {
	found, err := service.ZoneFind(context.Background(), ZoneFind{Query: "a"})
	if err != nil || len(found.Zones) != 10 {
		t.Errorf("%d zones are found: %v", len(found.Zones), err)
	}
}
