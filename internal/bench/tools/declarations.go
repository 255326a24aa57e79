// Package tools declares the two tools that every server of the benchmark offers, and does their work: a small question with a small
// answer, and an order of about 40 fields and 20 line items.
//
//capgen:namespace bench
package tools

import "github.com/capgen/capgen/capabilities"

// AlbumLookup looks up an album by its slug.
//
//capgen:capability album.lookup@1 risk=read access=public tool=album_lookup
type AlbumLookup struct {
	capabilities.Returns[Album]

	Slug string `json:"slug" pattern:"^[a-z0-9]+(-[a-z0-9]+)*$" maxLength:"80"`
}

// Album is what album_lookup answers.
type Album struct {
	Slug   string  `json:"slug" pattern:"^[a-z0-9]+(-[a-z0-9]+)*$" maxLength:"80"`
	Title  string  `json:"title" maxLength:"200"`
	Artist string  `json:"artist" maxLength:"200"`
	Year   int     `json:"year" minimum:"1900" maximum:"2100"`
	Genre  string  `json:"genre" enum:"rock,jazz,pop,classical"`
	Tracks []Track `json:"tracks" maxItems:"100"`
}

// Track is a track of an album.
type Track struct {
	Number  int    `json:"number" minimum:"1" maximum:"999"`
	Title   string `json:"title" maxLength:"200"`
	Seconds int    `json:"seconds" minimum:"0" maximum:"100000"`
}

// OrderQuote quotes an order without placing it.
//
//capgen:capability order.quote@1 risk=read access=public tool=order_quote
type OrderQuote struct {
	capabilities.Returns[Quote]

	QuoteID    string   `json:"quoteId" pattern:"^Q-[0-9]{8}$"`
	Currency   string   `json:"currency" enum:"USD,EUR,GBP,JPY,CHF"`
	Channel    string   `json:"channel" enum:"web,phone,partner,store"`
	Priority   int      `json:"priority" minimum:"1" maximum:"5"`
	Customer   Customer `json:"customer"`
	Billing    Address  `json:"billing"`
	Shipping   Shipping `json:"shipping"`
	Items      []Item   `json:"items" minItems:"1" maxItems:"100"`
	PromoCodes []string `json:"promoCodes,omitempty" maxItems:"5"`
	Notes      string   `json:"notes,omitempty" maxLength:"1000"`
}

// Customer is who orders.
type Customer struct {
	CustomerID    string `json:"customerId" pattern:"^C[0-9]{6}$"`
	Name          string `json:"name" minLength:"1" maxLength:"120"`
	Email         string `json:"email" pattern:"^[^@ ]+@[^@ ]+$" maxLength:"254"`
	Tier          string `json:"tier" enum:"bronze,silver,gold,platinum"`
	TaxExempt     bool   `json:"taxExempt"`
	VATNumber     string `json:"vatNumber,omitempty" pattern:"^[A-Z]{2}[0-9A-Z]{8,12}$"`
	LoyaltyPoints int    `json:"loyaltyPoints" minimum:"0" maximum:"1000000000"`
}

// Address is where the bill goes.
type Address struct {
	Line1      string `json:"line1" minLength:"1" maxLength:"120"`
	Line2      string `json:"line2,omitempty" maxLength:"120"`
	City       string `json:"city" minLength:"1" maxLength:"80"`
	Region     string `json:"region" maxLength:"80"`
	PostalCode string `json:"postalCode" pattern:"^[0-9A-Z -]{3,10}$"`
	Country    string `json:"country" pattern:"^[A-Z]{2}$"`
}

// Shipping is where the goods go, and how.
type Shipping struct {
	Line1         string `json:"line1" minLength:"1" maxLength:"120"`
	Line2         string `json:"line2,omitempty" maxLength:"120"`
	City          string `json:"city" minLength:"1" maxLength:"80"`
	Region        string `json:"region" maxLength:"80"`
	PostalCode    string `json:"postalCode" pattern:"^[0-9A-Z -]{3,10}$"`
	Country       string `json:"country" pattern:"^[A-Z]{2}$"`
	Method        string `json:"method" enum:"standard,express,overnight,pickup"`
	Instructions  string `json:"instructions,omitempty" maxLength:"500"`
	RequestedDate string `json:"requestedDate" pattern:"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"`
}

// Item is a line of an order.
type Item struct {
	SKU            string  `json:"sku" pattern:"^[A-Z]{3}-[0-9]{5}$"`
	Description    string  `json:"description" maxLength:"200"`
	Quantity       int     `json:"quantity" minimum:"1" maximum:"999"`
	UnitPriceCents int     `json:"unitPriceCents" minimum:"0" maximum:"10000000"`
	Category       string  `json:"category" enum:"book,music,video,game,toy,other"`
	DiscountPct    float64 `json:"discountPct" minimum:"0" maximum:"100"`
	Taxable        bool    `json:"taxable"`
	Warehouse      string  `json:"warehouse" enum:"east,west,north,south"`
}

// Quote is what order_quote answers.
type Quote struct {
	QuoteID       string      `json:"quoteId" pattern:"^Q-[0-9]{8}$"`
	Currency      string      `json:"currency" enum:"USD,EUR,GBP,JPY,CHF"`
	SubtotalCents int         `json:"subtotalCents" minimum:"0" maximum:"1000000000000"`
	DiscountCents int         `json:"discountCents" minimum:"0" maximum:"1000000000000"`
	TaxCents      int         `json:"taxCents" minimum:"0" maximum:"1000000000000"`
	ShippingCents int         `json:"shippingCents" minimum:"0" maximum:"1000000000"`
	TotalCents    int         `json:"totalCents" minimum:"0" maximum:"1000000000000"`
	Status        string      `json:"status" enum:"draft,final"`
	ExpiresAt     string      `json:"expiresAt" pattern:"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"`
	Lines         []QuoteLine `json:"lines" maxItems:"100"`
}

// QuoteLine is a line of a quote.
type QuoteLine struct {
	SKU            string `json:"sku" pattern:"^[A-Z]{3}-[0-9]{5}$"`
	Quantity       int    `json:"quantity" minimum:"1" maximum:"999"`
	UnitCents      int    `json:"unitCents" minimum:"0" maximum:"10000000"`
	LineTotalCents int    `json:"lineTotalCents" minimum:"0" maximum:"1000000000000"`
	InStock        bool   `json:"inStock"`
}
