import { expect, test } from 'vitest';
import { reasonOf } from '../../src/hosts/node/words.ts';

const failed = (properties: object): Error => Object.assign(new Error('its own words'), properties);

/** What each address of a name says. */
const refused = failed({ code: 'ECONNREFUSED', syscall: 'connect' });

test.each<[unknown, string]>([
  [failed({ code: 'ENOENT', syscall: 'open' }), 'no such file or directory'],
  [failed({ code: 'EADDRINUSE', syscall: 'listen' }), 'it is in use by another process'],
  [failed({ code: 'EADDRINUSE' }), 'its own words'],
  [failed({ code: 'EODD', syscall: 'open' }), 'its own words'],
  [failed({ code: 'constructor', syscall: 'open' }), 'its own words'],
  [failed({}), 'its own words'],
  [failed({ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }), 'what answers there does not speak TLS'],
  [failed({ code: 'ERR_SSL_PACKET_LENGTH_TOO_LONG' }), 'what answers there does not speak TLS'],
  [
    Object.assign(new Error('write EPROTO 80:error:0A00010B:SSL routines:wrong version number'), {
      ...{ code: 'EPROTO', syscall: 'write' },
    }),
    'what answers there does not speak TLS',
  ],
  [failed({ code: 'ERR_OSSL_X509_KEY_VALUES_MISMATCH' }), 'the key does not belong to the certificate'],
  [Object.assign(new AggregateError([refused, refused]), { code: 'ECONNREFUSED' }), reasonOf(refused)],
  [new AggregateError([refused], 'its own words'), 'its own words'],
  ['a text', 'a text'],
])('%o: %s', (error, reason) => {
  expect(reasonOf(error)).toBe(reason);
});
