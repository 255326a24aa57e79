// Asks a server what a Go test tells it to, with one of the official TypeScript clients, and prints the answers as JSON.
//
//   node ask.mjs legacy|modern|v1 URL|PROGRAM <steps.json
//
// A PROGRAM is started with -stdio and asked on its standard input and output.
//
// A step is {"list": true} or {"call": TOOL, "input": OBJECT}. Its answer is what the client made of the server's: {"tools"},
// {"structured", "text", "isError"}, or {"refused": CODE} for a JSON-RPC error or an HTTP status that the client threw.

import { readFileSync } from 'node:fs';

const implementation = { name: 'capgen-e2e', version: '1' };

// transport makes the transport that a server needs, of the modules of an SDK that have them.
async function transport(server, { http, stdio }) {
  if (server.startsWith('http:')) {
    const { StreamableHTTPClientTransport } = await import(http);
    return new StreamableHTTPClientTransport(new URL(server));
  }
  const { StdioClientTransport } = await import(stdio);
  return new StdioClientTransport({ command: server, args: ['-stdio', '-raw=false'] });
}

async function connectV2(server, mode) {
  const { Client } = await import('@modelcontextprotocol/client');
  const client = new Client(implementation, { versionNegotiation: { mode } });
  await client.connect(await transport(server, { http: '@modelcontextprotocol/client', stdio: '@modelcontextprotocol/client/stdio' }));
  return client;
}

async function connectV1(server) {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const client = new Client(implementation);
  const modules = '@modelcontextprotocol/sdk/client/';
  await client.connect(await transport(server, { http: modules + 'streamableHttp.js', stdio: modules + 'stdio.js' }));
  return client;
}

const connect = {
  legacy: (server) => connectV2(server, 'legacy'),
  modern: (server) => connectV2(server, { pin: '2026-07-28' }),
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

const [flavour, server] = process.argv.slice(2);
const client = await connect[flavour](server);
const answers = [];
for (const step of JSON.parse(readFileSync(0, 'utf8'))) {
  answers.push(await answer(client, step));
}
await client.close();
console.log(JSON.stringify(answers));
