import { bool, bytes, map, opt, ptr, string } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { encodeText, setOwn, toBase64 } from '../../std/index.ts';
import { object } from '../meta/object.ts';

export const Secret = object(
  'api.core.v1.Secret',
  {
    immutable: ptr(5, bool, { doc: 'Whether nothing but metadata can be changed any more.' }),
    data: opt(2, map(bytes), { doc: 'Values by key, in base64.' }),
    stringData: opt(4, map(string), { doc: 'Values by key in plain text, only for writing; they become data.' }),
    type: opt(3, string, { default: 'Opaque', doc: 'What the secret is for; it cannot be changed.' }),
  },
  {
    settle(secret) {
      // Plain text is only for writing: it is kept, and read back, as data.
      const { stringData } = secret;
      if (!stringData) return;
      secret.data ??= {};
      for (const [key, text] of Object.entries(stringData)) setOwn(secret.data, key, toBase64(encodeText(text)));
      delete secret.stringData;
    },
  },
);
export type Secret = Infer<typeof Secret>;
