// Asks a server what a Go test tells it to, with one of the official TypeScript clients, and prints the answers as JSON.
//
//   node ask.mjs legacy|modern|v1 URL <steps.json
//
// A step is {"list": true} or {"call": TOOL, "input": OBJECT}. Its answer is what the client made of the server's: {"tools"},
// {"structured", "text", "isError"}, or {"refused": CODE} for a JSON-RPC error or an HTTP status that the client threw.

import { readFileSync } from 'node:fs';

const implementation = { name: 'capgen-e2e', version: '1' };

async function connectV2(url, mode) {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const client = new Client(implementation, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(url));
  return client;
}

async function connectV1(url) {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const client = new Client(implementation);
  await client.connect(new StreamableHTTPClientTransport(url));
  return client;
}

const connect = {
  legacy: (url) => connectV2(url, 'legacy'),
  modern: (url) => connectV2(url, { pin: '2026-07-28' }),
  v1: connectV1,
};

async function answer(client, step) {
  try {
    if (step.list) {
      return { tools: (await client.listTools()).tools };
    }
    const result = await client.callTool({ name: step.call, arguments: step.input });
    return {
      structured: result.structuredContent,
      text: result.content.map((block) => block.text),
      isError: result.isError === true,
    };
  } catch (error) {
    // v2 has the HTTP status in status and a JSON-RPC code in code; v1 has either in code.
    const code = error.status ?? error.code;
    if (typeof code !== 'number') {
      throw error;
    }
    return { refused: code };
  }
}

const [flavour, url] = process.argv.slice(2);
const client = await connect[flavour](new URL(url));
const answers = [];
for (const step of JSON.parse(readFileSync(0, 'utf8'))) {
  answers.push(await answer(client, step));
}
await client.close();
console.log(JSON.stringify(answers));
