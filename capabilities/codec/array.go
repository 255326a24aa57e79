package codec

import "strconv"

// Array enters an array. The result is false, with a problem, when the value is something else.
//
//	if d.Array() {
//		for d.More() { … }
//	}
func (d *Decoder) Array() bool {
	if d.dead {
		return false
	}
	if d.peek() != '[' {
		d.wrong("an array")
		return false
	}
	return d.enter(inArray)
}

// UniqueItems says that no two items of the array just entered may be equal; that is reported at its end.
func (d *Decoder) UniqueItems() {
	d.top().extra = &extra{unique: true}
	d.forms.nested++
}

// More moves to the next item, which is then read. It is false at the array's end, which it leaves.
func (d *Decoder) More() bool {
	if d.ended() {
		return false
	}
	c := d.peek()
	f := d.top()
	if c == ']' {
		d.pos++
		d.left = f.index + 1
		x := f.extra
		d.pop()
		if x != nil {
			d.checkUnique(x.starts)
		}
		return false
	}
	if f.index >= 0 {
		if c != ',' {
			d.syntax(d.mistake())
			return false
		}
		d.pos++
		d.peek()
	}
	f.index++
	if f.extra != nil {
		f.extra.starts = append(f.extra.starts, d.pos)
	}
	return true
}

// Index returns the current item's.
func (d *Decoder) Index() int { return d.top().index }

// count checks a number of items, members or characters; -1 is that of a value that has none.
func (r *Report) count(count, least, most int, low, high string) {
	if count >= 0 && count < least {
		r.Refuse(low, strconv.Itoa(least))
	}
	if most >= 0 && count > most {
		r.Refuse(high, strconv.Itoa(most))
	}
}
