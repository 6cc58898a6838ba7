/** The fields of the client's configuration, in the order in which they are printed. */

/** `bytes` stand as base64; `tree` is kept as it is. */
export type FieldType = 'text' | 'toggle' | 'bytes' | 'texts' | 'tree';

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  /** What `config set` calls the field, where that is another name. */
  readonly alias?: string;
  /** The field is written even if it is empty. */
  readonly always?: boolean;
  /** What `config view` shows instead, so that nobody reads it over a shoulder. */
  readonly shown?: string;
}

export type Section = 'clusters' | 'users' | 'contexts';

const text = (name: string, more: Partial<Field> = {}): Field => ({ name, type: 'text', ...more });
const bytes = (name: string, shown: string): Field => ({ name, type: 'bytes', shown });

const HIDDEN = 'REDACTED';

export const sections: Readonly<Record<Section, readonly Field[]>> = {
  clusters: [
    text('server', { always: true }),
    text('tls-server-name'),
    { name: 'insecure-skip-tls-verify', type: 'toggle' },
    text('certificate-authority'),
    bytes('certificate-authority-data', 'DATA+OMITTED'),
    text('proxy-url'),
    { name: 'extensions', type: 'tree' },
  ],
  users: [
    text('client-certificate'),
    bytes('client-certificate-data', HIDDEN),
    text('client-key'),
    bytes('client-key-data', HIDDEN),
    text('token', { shown: HIDDEN }),
    text('tokenFile'),
    text('as', { alias: 'act-as' }),
    { name: 'as-groups', type: 'texts', alias: 'act-as-groups' },
    { name: 'as-user-extra', type: 'tree', alias: 'act-as-user-extra' },
    text('username'),
    text('password'),
    { name: 'auth-provider', type: 'tree' },
    { name: 'exec', type: 'tree' },
    { name: 'extensions', type: 'tree' },
  ],
  contexts: [
    text('cluster', { always: true }),
    text('user', { always: true }),
    text('namespace'),
    { name: 'extensions', type: 'tree' },
  ],
};

/** What an entry is called in the file's lists: `clusters: [{name, cluster}]`. */
export const entryNames: Readonly<Record<Section, string>> = {
  clusters: 'cluster',
  users: 'user',
  contexts: 'context',
};

export const isSection = (word: string): word is Section => Object.hasOwn(sections, word);
