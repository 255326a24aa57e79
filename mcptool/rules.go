package mcptool

// Rule is one thing that clients refuse: a row of the table.
type Rule struct {
	// ID names what is refused; several rows have the same where clients set different limits, the strictest first.
	ID string
	// Profiles are the clients that refuse it.
	Profiles []Profile
	// Default says that the rule is part of the profile All. What is not says why in its Note: every schema would break it, and a client's own
	// library or a dialect mends that, or it is about a mode that has to be chosen.
	Default bool
	// Limit is the most there may be; 0 where the rule sets none.
	Limit int
	// Pattern is what a name must match, and Keywords are those of JSON Schema that are accepted, or with Refused the ones that are not.
	Pattern  string
	Keywords []string
	Refused  bool
	// Says tells what is refused, and Fix what to write instead.
	Says, Fix string
	// Source is where this is known from, Checked when it was looked up, and Note what else is to be known, as where sources disagree.
	Source, Checked, Note string
}

// Rules returns the table of what clients refuse. The caller must not change it.
func Rules() []Rule { return table }

// checked is the day on which the sources were read.
const checked = "2026-12-01"

const (
	dialectOnly = "serve these clients on a path of their own with runtime.WithDialect"
	byDialect   = "or " + dialectOnly
	shorten     = "give the capability a shorter name with tool="
)

var (
	everyAPI  = []Profile{Claude, OpenAI, OpenAIStrict, Gemini, Bedrock, VSCode}
	everybody = []Profile{Claude, OpenAI, OpenAIStrict, Gemini, Bedrock, Cursor, VSCode}
	strict    = []Profile{OpenAIStrict}
)

var table = []Rule{
	// The tool.
	{
		ID: "name-length", Profiles: everybody, Default: true, Limit: 64,
		Says: "a tool's name has at most 64 characters", Fix: shorten,
		Source: "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html", Checked: checked,
		Note: "Gemini and OpenAI say the same. Anthropic's API has meanwhile answered with 128 (github/copilot-cli#1879) and with 64 (anthropics/claude-code#19882): the stricter counts.",
	},
	{
		ID: "name-charset", Profiles: []Profile{Cursor}, Default: true, Pattern: `^[A-Za-z0-9_]+$`,
		Says: "a tool's name has letters, digits and _ alone", Fix: "write _ for each other character with tool=",
		Source: "https://github.com/webstudio-is/webstudio/issues/5960", Checked: checked,
		Note: "Cursor's own message. Names with - are known to work in some of its versions: the stricter counts.",
	},
	{
		ID: "name-charset", Profiles: everyAPI, Default: true, Pattern: `^[A-Za-z_][A-Za-z0-9_-]*$`,
		Says: "a tool's name begins with a letter or _ and goes on with letters, digits, _ and -", Fix: "write _ for each other character with tool=",
		Source: "https://github.com/microsoft/vscode/issues/308463", Checked: checked,
		Note: "The protocol allows dots; OpenAI (vercel/ai#1972), Anthropic (github/copilot-cli#1879) and Bedrock do not. That the first is no digit is Gemini's (cloud.google.com/vertex-ai, FunctionDeclaration.name).",
	},
	{
		ID: "name-budget", Profiles: []Profile{Claude}, Default: true, Limit: 64 - len("mcp____"),
		Says: "a tool's name and its server's have at most 57 characters together, since mcp__SERVER__TOOL has at most 64", Fix: shorten + ", or the server one with fewer characters",
		Source: "https://github.com/anthropics/claude-code/issues/19882", Checked: checked,
	},
	{
		ID: "name-budget", Profiles: []Profile{Cursor}, Default: true, Limit: 59,
		Says: "a tool's name and its server's have at most 59 characters together", Fix: shorten + ", or the server one with fewer characters",
		Source: "https://github.com/ComposioHQ/composio/issues/2788", Checked: checked,
		Note: "Cursor says 60, and leaves out a tool of 59 whose server's name has one.",
	},
	{
		ID: "description-length", Profiles: []Profile{OpenAI, OpenAIStrict}, Default: true, Limit: 1024,
		Says: "a tool's description has at most 1024 characters", Fix: "shorten the doc comment: what concerns one parameter belongs to its field",
		Source: "https://github.com/getsentry/sentry-mcp/issues/106", Checked: checked,
	},
	{
		ID: "description-length", Profiles: []Profile{Claude}, Default: true, Limit: 2048,
		Says: "a tool's description is cut off after 2048 characters, without a word", Fix: "shorten the doc comment: what concerns one parameter belongs to its field",
		Source: "https://github.com/anthropics/claude-code/issues/87650", Checked: checked,
	},
	{
		ID: "description-missing", Profiles: []Profile{Bedrock}, Default: true,
		Says: "a tool's description is not empty", Fix: "write a doc comment that says what it does and when to use it",
		Source: "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html", Checked: checked,
		Note: "The API wants none or one of a character at least, and clients pass on an empty one.",
	},
	{
		ID: "tool-count", Profiles: []Profile{Cursor}, Default: true, Limit: 40,
		Says: "there are at most 40 tools, of all servers together", Fix: "serve fewer, or split the server",
		Source: "https://github.com/anyproto/anytype-mcp/issues/5", Checked: checked,
		Note: "Cursor's documentation then; later reports say 80 (Snowflake-Labs/mcp#77): the stricter counts.",
	},
	{
		ID: "tool-count", Profiles: []Profile{OpenAI, OpenAIStrict, VSCode}, Default: true, Limit: 128,
		Says: "there are at most 128 tools in a request, of all servers together", Fix: "serve fewer, or split the server",
		Source: "https://github.com/microsoft/vscode/issues/337428", Checked: checked,
		Note: "OpenAI's API says the same (zed-industries/zed#32946).",
	},

	// The root of the input.
	{
		ID: "root-object", Profiles: everybody, Default: true,
		Says: "the input is an object", Fix: "declare the input as a struct",
		Source: "https://github.com/earendil-works/pi/issues/8279", Checked: checked,
	},
	{
		ID: "root-combinator", Profiles: []Profile{Claude, OpenAI, OpenAIStrict, Bedrock, VSCode}, Default: true, Refused: true,
		Keywords: []string{"oneOf", "anyOf", "allOf", "not", "enum", "const"},
		Says:     "the input's own schema has no oneOf, anyOf, allOf, not, enum or const", Fix: "put the alternatives into a field",
		Source: "https://github.com/goruck/home-generative-agent/pull/545", Checked: checked,
		Note: "OpenAI's list. Anthropic's is the first three (anthropics/claude-code#27337).",
	},
	{
		ID: "root-keyword", Profiles: []Profile{Bedrock}, Keywords: []string{"type", "properties", "required"},
		Says: "the input's own schema has type, properties and required alone", Fix: dialectOnly,
		Source: "https://docs.aws.amazon.com/nova/latest/userguide/prompting-tool-troubleshooting.html", Checked: checked,
		Note: "Not in the default: Nova ignores such a tool, every generated schema has $schema and additionalProperties, and libraries drop them (BerriAI/litellm#10062).",
	},

	// Properties.
	{
		ID: "property-name", Profiles: []Profile{Gemini}, Default: true, Pattern: `^[A-Za-z_][A-Za-z0-9_]{0,63}$`,
		Says: "a parameter's name begins with a letter or _ and goes on with letters, digits and _, 64 characters at most", Fix: "give the field another JSON name, " + byDialect,
		Source: "https://cloud.google.com/vertex-ai/generative-ai/docs/reference/java/latest/com.google.cloud.vertexai.api.FunctionDeclarationOrBuilder", Checked: checked,
	},
	{
		ID: "property-name", Profiles: []Profile{Claude, Bedrock}, Default: true, Pattern: `^[A-Za-z0-9_.-]{1,64}$`,
		Says: "a parameter's name has letters, digits, _, . and - alone, 64 characters at most", Fix: "give the field another JSON name, " + byDialect,
		Source: "https://github.com/aws-solutions-library-samples/accelerated-intelligent-document-processing-on-aws/issues/709", Checked: checked,
		Note: "Measured there: only the names at the top are looked at. A report of 2025-04 has no dot (roychri/mcp-server-asana#16); all later ones have it.",
	},
	{
		ID: "property-count", Profiles: strict, Default: true, Limit: 5000,
		Says: "a schema has at most 5000 properties in all", Fix: "split the capability, or give it fewer fields",
		Source: "https://jsonschemaprofiles.unitvectorylabs.com/schemas/openai", Checked: checked,
		Note: "OpenAI's guide to Structured Outputs, as of 2026-02. Part of the default, as all limits of size: some of OpenAI's libraries choose strict mode by themselves.",
	},
	{
		ID: "required", Profiles: strict,
		Says: "every property is required", Fix: "drop omitempty, omitzero or default, " + byDialect,
		Source: "https://github.com/laravel/ai/issues/506", Checked: checked,
		Note: "Not in the default: strict mode has to be chosen, and an optional field is an ordinary one.",
	},
	{
		ID: "closed", Profiles: strict,
		Says: "every object has additionalProperties false", Fix: "declare a struct in place of a map, and no additionalProperties",
		Source: "https://github.com/vercel-labs/json-render/issues/180", Checked: checked,
		Note: "Not in the default: strict mode has to be chosen, and a map is an ordinary field.",
	},

	// Types.
	{
		ID: "type-missing", Profiles: []Profile{Gemini, OpenAIStrict}, Default: true,
		Says: "every schema names its type", Fix: "declare the field with a type of its own",
		Source: "https://github.com/google-gemini/gemini-cli/issues/4400", Checked: checked,
	},
	{
		ID: "type-array", Profiles: []Profile{Gemini, Cursor}, Default: true,
		Says: "type names one type", Fix: "make it optional instead of nullable, with omitempty, " + byDialect,
		Source: "https://github.com/aoci-spec/aoci-code/issues/61", Checked: checked,
		Note: "Cursor compares the value with the whole list (cursor/cursor#3778). Gemini CLI rewrites some and fails at others (google-gemini/gemini-cli#21094).",
	},
	{
		ID: "nullable-union", Profiles: []Profile{Gemini}, Default: true,
		Says: "null is no alternative of anyOf or oneOf", Fix: "make it optional instead of nullable, with omitempty, " + byDialect,
		Source: "https://github.com/taylorwilsdon/google_workspace_mcp/issues/1099", Checked: checked,
		Note: "Clients turn it into a list of types. One report has it accepted (aoci-spec/aoci-code#61): the stricter counts.",
	},
	{
		ID: "array-items", Profiles: []Profile{OpenAI, OpenAIStrict, Gemini, VSCode}, Default: true,
		Says: "every array has items", Fix: "say in the schema what the elements are",
		Source: "https://github.com/microsoft/vscode/issues/246119", Checked: checked,
		Note: "OpenAI says the same (spacelift-io/spacectl#402), and so does Gemini (DEEIX-AI/DEEIX-Chat#546).",
	},
	{
		ID: "enum-type", Profiles: []Profile{Gemini}, Default: true,
		Says: "the values of an enum are strings", Fix: "give the type string constants, " + byDialect,
		Source: "https://github.com/microsoft/azure-devops-mcp/issues/139", Checked: checked,
		Note: "Google's documentation of responseJsonSchema allows numbers; its support tells to write strings (kensho-technologies/kfinance#128): the stricter counts.",
	},
	{
		ID: "enum-empty", Profiles: []Profile{Gemini}, Default: true,
		Says: `"" is no value of an enum`, Fix: "leave the value out and make the field optional, with omitempty",
		Source: "https://github.com/sbroenne/mcp-server-excel/issues/607", Checked: checked,
	},
	{
		ID: "enum-count", Profiles: strict, Default: true, Limit: 1000,
		Says: "a schema has at most 1000 values of enums in all", Fix: "take a text and check it in the handler",
		Source: "https://jsonschemaprofiles.unitvectorylabs.com/schemas/openai", Checked: checked,
	},
	{
		ID: "enum-length", Profiles: strict, Default: true, Limit: 15_000,
		Says: "the values of an enum of more than 250 have at most 15000 characters together", Fix: "take a text and check it in the handler",
		Source: "https://jsonschemaprofiles.unitvectorylabs.com/schemas/openai", Checked: checked,
	},

	// The whole.
	{
		ID: "ref", Profiles: []Profile{Claude, OpenAI, Gemini, Bedrock, Cursor, VSCode}, Default: true,
		Says: "there is no $ref", Fix: "a type that refers to itself has no other schema: nest types of their own as deep as is needed",
		Source: "https://github.com/anthropics/claude-code/issues/18260", Checked: checked,
		Note: "Claude Code and Codex (openai/codex#3152) pass such an argument as text, Gemini answers 400 (google-gemini/gemini-cli#13326), VS Code (PrefectHQ/fastmcp#2808) and Cursor (davideast/stitch-mcp#184) lose the definition.",
	},
	{
		ID: "depth", Profiles: []Profile{Gemini}, Default: true, Limit: 5,
		Says: "objects and arrays are nested at most 5 deep, the input itself counted", Fix: "flatten the input",
		Source: "https://docs.rs/adk-gemini/0.9.0/src/adk_gemini/schema_adapter.rs.html", Checked: checked,
		Note: "Google names no number, and refuses (google-gemini/gemini-cli#5923). A report about the schemas of answers has 4 (Portkey-AI/gateway#1616).",
	},
	{
		ID: "depth", Profiles: strict, Default: true, Limit: 10,
		Says: "objects and arrays are nested at most 10 deep, the input itself counted", Fix: "flatten the input",
		Source: "https://jsonschemaprofiles.unitvectorylabs.com/schemas/openai", Checked: checked,
		Note: "It was 5 in 2025 (tidyverse/ellmer#671).",
	},
	{
		ID: "text-length", Profiles: strict, Default: true, Limit: 120_000,
		Says: "the names of properties and definitions and the values of enums and const have at most 120000 characters together", Fix: "split the capability, or give it fewer fields",
		Source: "https://jsonschemaprofiles.unitvectorylabs.com/schemas/openai", Checked: checked,
	},
	{
		ID: "keyword", Profiles: []Profile{Gemini}, Keywords: []string{
			"type", "format", "title", "description", "nullable", "enum", "maxItems", "minItems", "properties", "required", "minProperties",
			"maxProperties", "minLength", "maxLength", "pattern", "example", "anyOf", "propertyOrdering", "default", "items", "minimum", "maximum",
		},
		Says: "a schema has the keywords of Google's Schema alone", Fix: "leave it out and say it in the comment, " + byDialect,
		Source: "https://raw.githubusercontent.com/nousresearch/hermes-agent/main/agent/gemini_schema.py", Checked: checked,
		Note: "Any other is an unknown name and a 400 (promptfoo/promptfoo#6902, zendev-sh/goai#108). Not in the default: every generated schema has $schema and additionalProperties, and clients that send parametersJsonSchema may keep them.",
	},
	{
		ID: "keyword", Profiles: strict, Keywords: []string{
			"$schema", "$defs", "$ref", "type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "const", "title", "description",
			"pattern", "format", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems",
		},
		Says: "a schema has the keywords of Structured Outputs alone", Fix: "leave it out and say it in the comment, " + byDialect,
		Source: "https://jsonschemaprofiles.unitvectorylabs.com/schemas/openai", Checked: checked,
		Note: "default is accepted by OpenAI (openai/openai-agents-python#4390) and refused by Azure (567-labs/instructor#1074), and of minLength and maxLength opinions differ (pydantic/pydantic-ai#4490): the stricter counts. Not in the default: strict mode has to be chosen.",
	},
	{
		ID: "keyword", Profiles: []Profile{VSCode}, Keywords: []string{"$schema", "$dynamicRef", "$dynamicAnchor", "unevaluatedProperties"}, Refused: true,
		Says: "a schema does not say that it is of draft 2020-12", Fix: dialectOnly,
		Source: "https://github.com/microsoft/vscode/issues/251315", Checked: checked,
		Note: "Versions of 2025 leave the tool out; the report is closed. Not in the default: every generated schema has $schema.",
	},
	{
		ID: "format", Profiles: []Profile{Gemini}, Keywords: []string{"date-time", "enum"},
		Says: "the format of a string is date-time", Fix: "leave it out and say it in the comment, " + byDialect,
		Source: "https://github.com/google-gemini/gemini-cli/issues/2237", Checked: checked,
		Note: "Not in the default: Google's documentation has since allowed any (hexdocs.pm/geminix, Schema).",
	},
	{
		ID: "format", Profiles: strict, Keywords: []string{"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"},
		Says: "the format of a string is date-time, time, date, duration, email, hostname, ipv4, ipv6 or uuid", Fix: "leave it out and say it in the comment, " + byDialect,
		Source: "https://github.com/pydantic/pydantic-ai/pull/4490", Checked: checked,
		Note: "Not in the default: strict mode has to be chosen.",
	},
}
