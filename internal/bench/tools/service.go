package tools

import (
	"context"
	"encoding/json"
	"fmt"
)

// Service does the work of the tools. The servers that are compared call Lookup and Price, so that all do the same work.
type Service struct{}

var _ Handlers = Service{}

// AlbumLookup implements Handlers.
func (Service) AlbumLookup(_ context.Context, in AlbumLookup) (Album, error) { return Lookup(&in), nil }

// OrderQuote implements Handlers.
func (Service) OrderQuote(_ context.Context, in OrderQuote) (Quote, error) { return Price(&in), nil }

var trackTitles = []string{
	"Opening", "Northern Line", "Blue Hour", "Second Thoughts", "Paper Boats",
	"Half a Mile", "Letters Home (live)", "The Long Way", "Lanterns", "Closing Time",
}

// Lookup answers album_lookup.
func Lookup(in *AlbumLookup) Album {
	album := Album{Slug: in.Slug, Title: "Night Drive", Artist: "The Lamplighters", Year: 1984, Genre: "jazz"}
	album.Tracks = make([]Track, len(trackTitles))
	for i, title := range trackTitles {
		album.Tracks[i] = Track{Number: i + 1, Title: title, Seconds: 180 + 13*i}
	}
	return album
}

// Price answers order_quote.
func Price(in *OrderQuote) Quote {
	quote := Quote{QuoteID: in.QuoteID, Currency: in.Currency, ShippingCents: 990, Status: "draft", ExpiresAt: "2027-01-31"}
	quote.Lines = make([]QuoteLine, len(in.Items))
	for i := range in.Items {
		item := &in.Items[i]
		full := item.Quantity * item.UnitPriceCents
		discount := int(float64(full) * item.DiscountPct / 100)
		quote.SubtotalCents += full
		quote.DiscountCents += discount
		if item.Taxable && !in.Customer.TaxExempt {
			quote.TaxCents += (full - discount) * 19 / 100
		}
		quote.Lines[i] = QuoteLine{
			SKU: item.SKU, Quantity: item.Quantity, UnitCents: item.UnitPriceCents,
			LineTotalCents: full - discount, InStock: item.Warehouse != "south",
		}
	}
	quote.TotalCents = quote.SubtotalCents - quote.DiscountCents + quote.TaxCents + quote.ShippingCents
	return quote
}

// Sample is one call of a tool: what is sent and what must come back.
type Sample struct {
	Tool string
	// Arguments is the JSON that is sent, Answer the JSON of the result, as encoding/json writes it.
	Arguments, Answer []byte
}

// Samples returns a call of each tool.
func Samples() []Sample {
	album := AlbumLookup{Slug: "night-drive-1984"}
	order := SampleOrder()
	return []Sample{
		{"album_lookup", marshal(album), marshal(Lookup(&album))},
		{"order_quote", marshal(order), marshal(Price(&order))},
	}
}

// SampleOrder is the order that is quoted.
func SampleOrder() OrderQuote {
	order := OrderQuote{
		QuoteID: "Q-20261201", Currency: "EUR", Channel: "web", Priority: 2,
		Customer: Customer{
			CustomerID: "C204816", Name: "Weaver & Daughters", Email: "orders@weaver.example",
			Tier: "gold", VATNumber: "DE811234567", LoyaltyPoints: 5120,
		},
		Billing: Address{
			Line1: "4 Spinner's Yard", Line2: "Back office", City: "Leipzig", Region: "Sachsen", PostalCode: "04109", Country: "DE",
		},
		Shipping: Shipping{
			Line1: "19 Harbour Lane", Line2: "Gate C", City: "Rostock", Region: "Mecklenburg", PostalCode: "18055", Country: "DE",
			Method: "express", Instructions: "Call the porter on arrival.", RequestedDate: "2026-12-11",
		},
		PromoCodes: []string{"ADVENT26", "GOLD"},
		Notes:      "Please say which lines ship later.",
	}
	categories := []string{"book", "music", "video", "game", "toy", "other"}
	warehouses := []string{"east", "west", "north", "south"}
	for i := range 20 {
		order.Items = append(order.Items, Item{
			SKU: fmt.Sprintf("XYZ-%05d", 20011+i*53), Description: fmt.Sprintf("Article %d of the winter catalogue", i+1),
			Quantity: 1 + i%6, UnitPriceCents: 1250 + i*175, Category: categories[i%len(categories)],
			DiscountPct: float64(i%5) * 2.5, Taxable: i%4 != 0, Warehouse: warehouses[i%len(warehouses)],
		})
	}
	return order
}

func marshal(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return text
}
