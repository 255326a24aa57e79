// A real OpenID provider, for runtime/auth: it prints its URL, issues JWT access tokens for the resources below to the client
// nightly-import, and ends when its standard input does.
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const resources = ['https://tools.example.com/mcp', 'https://billing.example.com/mcp'];
const key = (type, options, more) => ({ ...generateKeyPairSync(type, options).privateKey.export({ format: 'jwk' }), ...more });

const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [{
      client_id: 'nightly-import',
      client_secret: process.env.CLIENT_SECRET,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    }],
    cookies: { keys: ['no browser comes here'] },
    jwks: { keys: [key('rsa', { modulusLength: 2048 }, { kid: 'rsa' }), key('ec', { namedCurve: 'P-256' }, { kid: 'ec' })] },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, resource) => {
          if (!resources.includes(resource)) throw new Error(`there is no ${resource}`);
          return {
            accessTokenFormat: 'jwt',
            accessTokenTTL: 300,
            audience: resource,
            jwt: { sign: { alg: resource === resources[0] ? 'ES256' : 'RS256' } },
            scope: 'albums:read albums:write',
          };
        },
      },
    },
  });
  server.on('request', provider.callback());
  console.log(issuer);
});
process.stdin.on('end', () => process.exit()).resume();
