/** Objects that hold data: config maps and secrets. */
import { configMaps, secrets } from '../../client/index.ts';
import { decodeText, fromBase64 } from '../../std/index.ts';
import { describer } from './describer.ts';
import { field, meta, names, sortedEntries } from './lines.ts';

export const configMapDescriber = describer(configMaps, (map) => [
  ...names(map),
  ...meta(map),
  ...['', 'Data', '===='],
  ...sortedEntries(map.data).flatMap(([key, text]) => [`${key}:`, '----', text]),
]);

/** Values are not shown, but for the token of a service account. */
export const secretDescriber = describer(
  secrets,
  (secret, { client }) => {
    const isToken = secret.type === client.names.fill('{label}/service-account-token');
    const values = sortedEntries(secret.data).map(([key, base64]) => {
      const bytes = fromBase64(base64) ?? new Uint8Array();
      return field(key, isToken && key === 'token' ? decodeText(bytes) : `${bytes.length} bytes`);
    });
    return [...names(secret), ...meta(secret), '', field('Type', secret.type ?? ''), '', 'Data', '====', ...values];
  },
  false,
);
