// Calls the quickstart, and then servers whose contract of zone_find has changed, with a generated client, and prints a line for each call.
//
//   node client.js v1|v2 URL OTHER…

import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';

import { CallFailure, ContractMismatch, type McpClient } from './capgen.js';
import { CapabilityClient, type ZoneFindResult } from './zones.js';
import { type Figure, type FigureInput } from './shapes.js';

declare const process: { argv: string[]; exit(code: number): never };

const [, , sdk, url, ...others] = process.argv;
const implementation = { name: 'capgen-e2e', version: '1' };

async function connect(to: string): Promise<McpClient> {
  if (sdk === 'v1') {
    const client = new ClientV1(implementation);
    // The SDK's own transport is not assignable to its own interface under exactOptionalPropertyTypes.
    await client.connect(new TransportV1(new URL(to)) as unknown as Parameters<ClientV1['connect']>[0]);
    return client;
  }
  const client = new ClientV2(implementation, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new TransportV2(new URL(to)));
  return client;
}

async function failing(call: Promise<unknown>): Promise<void> {
  try {
    console.log('no error:', await call);
  } catch (error) {
    if (!(error instanceof CallFailure)) {
      throw error;
    }
    const problems = error.problems.map((p) => `${p.pointer} ${p.keyword}`);
    console.log(`${error.name} "${error.code}" [${problems.join(', ')}] ${error.message.split('\n')[0]}`);
  }
}

const client = new CapabilityClient(await connect(url!));
const found: ZoneFindResult = await client.zoneFind({ query: 'berlin', at: '2026-07-01T12:00:00Z' });
console.log(found.total, found.zones[0]?.name, found.zones[0]?.clock.offset, found.zones[0]?.clock.dst);
await failing(client.zoneFind({ query: 'berlin', limit: 51 }));
await failing(client.zoneTransitions({ zone: 'Mars/Olympus', year: 2026 }));
await client.checkContracts();
console.log('the contracts are the same');

for (const other of others) {
  try {
    const { total } = await new CapabilityClient(await connect(other)).zoneFind({ query: 'berlin' });
    console.log('total', total);
  } catch (error) {
    if (!(error instanceof ContractMismatch) || error.differences.length === 0) {
      throw error;
    }
    console.log(error.message);
  }
}

// What must compile, and what must not.
export async function types(calls: CapabilityClient, figure: Figure): Promise<void> {
  await calls.timeConvert({ to: ['UTC'], prefer: 'later' });
  // @ts-expect-error: the property is required
  await calls.timeConvert({});
  // @ts-expect-error: the property is not known
  await calls.zoneFind({ query: 'x', most: 1 });
  // @ts-expect-error: it is none of the enum
  await calls.timeConvert({ to: [], prefer: 'never' });
  if (figure['ki/nd'] === 'Circle') {
    figure.r satisfies number | undefined;
    // @ts-expect-error: a circle has none
    figure.of;
  }
  // @ts-expect-error: no variant is called that
  ({ 'ki/nd': 'Triangle' }) satisfies FigureInput;
}

process.exit(0);
