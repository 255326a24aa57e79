// Package zones declares what the quickstart offers to agents: questions about time zones, answered from the IANA time zone
// database.
//
//capgen:namespace example.time
//capgen:client
//capgen:docs dir=../docs
package zones

import (
	"time"

	"github.com/capgen/capgen/capabilities"
)

//go:generate go run github.com/capgen/capgen/cmd/capgen generate

// ZoneFind finds time zones by their IANA name or by part of one, such as "berlin", and tells which clock each of them
// shows. Use it first when the user names a city or a country: the other tools take exact zone names.
//
//capgen:capability zone.find@1 risk=read access=public tool=zone_find
//capgen:title Find a time zone
type ZoneFind struct {
	capabilities.Returns[Found]

	// Query is a zone's name or part of one, such as "Europe/Berlin", "berlin" or "new york". Letter case does not matter.
	// Zones are named after cities and regions, seldom after countries.
	Query string `json:"query" minLength:"1" maxLength:"64" example:"berlin"`
	// At is the instant that the clocks are told for. Without it that is now.
	At time.Time `json:"at,omitzero" example:"2026-07-01T12:00:00Z"`
	// Limit is how many zones to return at most, the best matches first.
	Limit int `json:"limit,omitzero" minimum:"1" maximum:"50" default:"10"`
}

// Found is what zone_find answers.
type Found struct {
	// Zones are the zones that match, the best matches first. It is empty when none does.
	Zones []Zone `json:"zones"`
	// Total is how many zones match, including those past the limit.
	Total int `json:"total" minimum:"0"`
}

// Zone is a time zone, and the clock that it shows at the instant asked for.
type Zone struct {
	Name  ZoneName `json:"name"`
	Clock Clock    `json:"clock"`
}

// TimeConvert tells what clocks elsewhere show when a clock in one zone shows a time. Without a time it tells what they show
// now. It knows of daylight saving: a time that a clock shows twice, or skips, is said to be so in "occurs".
//
//capgen:capability time.convert@1 risk=read access=public tool=time_convert
//capgen:title Convert a time between zones
type TimeConvert struct {
	capabilities.Returns[Conversion]

	// Time is what the clock in the zone "from" shows, without an offset, from 1900 to 2099. Without it that is now.
	Time string `json:"time,omitempty" pattern:"^(19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2})?$" example:"2026-03-29T09:00"`
	// From is the zone of "time".
	From ZoneName `json:"from,omitzero" default:"UTC"`
	// To are the zones to convert to.
	To []ZoneName `json:"to" minItems:"1" maxItems:"16" uniqueItems:"true" example:"[\"America/New_York\", \"Asia/Tokyo\"]"`
	// Prefer chooses between the two instants of a time that the clock shows twice. It does not matter otherwise.
	Prefer Preference `json:"prefer,omitzero" default:"earlier"`
}

// Preference chooses between the two instants of a time that a clock shows twice.
type Preference string

// The preferences.
const (
	Earlier Preference = "earlier"
	Later   Preference = "later"
)

// Conversion is one instant as several clocks show it.
type Conversion struct {
	// Instant is the instant itself, in UTC.
	Instant time.Time `json:"instant"`
	// Occurs says how often the clock in "from" shows the time. A skipped time is counted on from the clock before the change,
	// so that "from" shows a later one.
	Occurs Occurrence `json:"occurs"`
	// From is the clock that the time was given for.
	From Reading `json:"from"`
	// To are the other clocks, in the order they were asked for.
	To []Reading `json:"to"`
}

// Occurrence says how often a clock shows a time.
type Occurrence string

// The occurrences.
const (
	Once    Occurrence = "once"
	Twice   Occurrence = "twice"
	Skipped Occurrence = "skipped"
)

// Reading is what the clock of a zone shows.
type Reading struct {
	Zone ZoneName `json:"zone"`
	// Local is the date and the time that the clock shows.
	Local string `json:"local" example:"2026-03-29T03:00:00"`
	// Weekday is the day of the week that the clock shows.
	Weekday string `json:"weekday" enum:"Monday,Tuesday,Wednesday,Thursday,Friday,Saturday,Sunday"`
	Clock   Clock  `json:"clock"`
}

// ZoneTransitions lists when the clock of a zone changes in a year, as for daylight saving, and what it changes from and to.
//
//capgen:capability zone.transitions@1 risk=read access=public tool=zone_transitions
//capgen:title List the clock changes of a year
type ZoneTransitions struct {
	capabilities.Returns[Transitions]

	Zone ZoneName `json:"zone"`
	// Year is the year to look at, in UTC. Years to come follow the rules that are known today.
	Year int `json:"year" minimum:"1900" maximum:"2099" example:"2026"`
}

// Transitions is what zone_transitions answers.
type Transitions struct {
	// Start is the clock at the beginning of the year.
	Start Clock `json:"start"`
	// Transitions are the changes in the order of time. It is empty when the clock does not change in that year.
	Transitions []Transition `json:"transitions"`
}

// Transition is one change of a clock.
type Transition struct {
	// At is the first instant of the new clock, in UTC.
	At time.Time `json:"at"`
	// Shift says which way the clock goes.
	Shift  Shift `json:"shift"`
	Before Clock `json:"before"`
	After  Clock `json:"after"`
}

// Shift says which way a clock goes: forward, so that times are skipped, or back, so that times come twice. With none only the
// name of the clock changes.
type Shift string

// The shifts.
const (
	Forward Shift = "forward"
	Back    Shift = "back"
	None    Shift = "none"
)

// ZoneName is the exact name of a zone in the IANA database. zone_find finds it.
//
//capgen:schema minLength=1 maxLength=64 example=Europe/Berlin
type ZoneName string

// Clock is how a zone counts its time for a while.
type Clock struct {
	// Abbreviation is the clock's short name, such as CEST, or its offset where it has no name.
	Abbreviation string `json:"abbreviation"`
	// Offset is how far the clock is ahead of UTC (+) or behind it (-): hours, minutes and, long ago, seconds.
	Offset string `json:"offset" example:"+02:00"`
	// DST says that the database counts this clock as daylight saving time.
	DST bool `json:"dst"`
}
