package schema

// Discriminated returns the member by which the alternatives of a schema exclude each other, with the alternatives by its value: each requires
// it and has another one; "" if there is none.
func Discriminated(n *Node) (member string, branches map[string]*Node) {
	if len(n.OneOf) == 0 {
		return "", nil
	}
	first := n.OneOf[0].Normal()
	for _, name := range first.Order {
		branches := map[string]*Node{}
		for _, branch := range n.OneOf {
			if value, ok := branch.Constant(name); ok {
				branches[value] = branch
			}
		}
		if len(branches) == len(n.OneOf) {
			return name, branches
		}
	}
	return "", nil
}

// Constant returns the one text that a member of every value of a schema is; the schema allows objects alone.
func (n *Node) Constant(member string) (string, bool) {
	n = n.Normal()
	property := n.Properties[member]
	if property == nil || !n.Required[member] || n.Types != Object || n.Nullable {
		return "", false
	}
	if enum := property.Normal().Enum; len(enum) == 1 && !property.Normal().Nullable {
		text, ok := enum[0].(string)
		return text, ok
	}
	return "", false
}
