/** `create namespace`, `configmap`, `secret`, `serviceaccount`, `quota`, `priorityclass`. */
import { decodePem } from '../../../schema/index.ts';
import { encodeText, sortKeys, toBase64 } from '../../../std/index.ts';
import { group, type Call } from '../../command/command.ts';
import { complaint, misused } from '../../command/errors.ts';
import { integer, text, toggle } from '../../command/flags.ts';
import { amounts } from '../set/containers.ts';
import { dataFlags, dataOf, hashedName } from './data.ts';
import { generator } from './generator.ts';

export const namespace = generator({
  ...{ name: 'namespace', aliases: ['ns'], flags: {} },
  makes: 'namespaces',
  make: () => ({ spec: {}, status: {} }),
});

export const serviceAccount = generator({
  ...{
    name: 'serviceaccount',
    aliases: ['sa'],
    flags: {},
  },
  makes: 'serviceaccounts',
  make: () => ({}),
});

export const configMap = generator({
  name: 'configmap',
  aliases: ['cm'],
  flags: dataFlags,
  makes: 'configmaps',
  make: async (call, name) => {
    const data = await dataOf(call, `ConfigMap ${JSON.stringify(name)}`);
    const metadata = call.flags['append-hash']
      ? { name: await hashedName(name, { kind: 'ConfigMap', name, data: sortKeys(data) }) }
      : {};
    return { metadata, ...(Object.keys(data).length > 0 ? { data } : {}) };
  },
});

const base64 = (value: string): string => toBase64(encodeText(value));

const generic = generator({
  name: 'generic',
  flags: { ...dataFlags, type: text() },
  makes: 'secrets',
  make: async (call, name) => {
    const said = await dataOf(call, `Secret ${JSON.stringify(name)}`);
    const data = Object.fromEntries(Object.entries(said).map(([key, value]) => [key, base64(value)]));
    const { type, 'append-hash': hash } = call.flags;
    const metadata = hash ? { name: await hashedName(name, { kind: 'Secret', name, type, data: sortKeys(data) }) } : {};
    return { metadata, ...(Object.keys(data).length > 0 ? { data } : {}), ...(type === '' ? {} : { type }) };
  },
});

const tls = generator({
  name: 'tls',
  flags: {
    cert: text(),
    key: text(),
    'append-hash': dataFlags['append-hash'],
  },
  makes: 'secrets',
  make: async ({ flags: { cert, key, 'append-hash': hash }, path, session, client }, name) => {
    if (key === '' || cert === '') throw misused(`flag ${cert === '' ? 'cert' : 'key'} is required`, path);
    const read = async (file: string): Promise<string> => {
      const pem = await session.files.read(file);
      if (pem === undefined) throw complaint(`Cannot read file ${file}, open ${file}: no such file or directory`);
      return pem;
    };
    const [certificate, privateKey] = [await read(cert), await read(key)];
    for (const [pem, what] of [
      [certificate, 'certificate'],
      [privateKey, 'key'],
    ] as const)
      if (decodePem(pem).length === 0)
        throw complaint(`failed to load key pair tls: failed to find any PEM data in ${what} input`);
    const type = client.names.fill('{label}/tls');
    const data = { 'tls.crt': base64(certificate), 'tls.key': base64(privateKey) };
    const metadata = hash ? { name: await hashedName(name, { kind: 'Secret', name, type, data }) } : {};
    return { metadata, type, data };
  },
});

const registryFlags = {
  'append-hash': dataFlags['append-hash'],
  'from-file': dataFlags['from-file'],
  'docker-email': text(),
  'docker-password': text(),
  'docker-server': text({ initial: 'https://index.docker.io/v1/' }),
  'docker-username': text(),
};

const dockerRegistry = generator({
  name: 'docker-registry',
  flags: registryFlags,
  makes: 'secrets',
  make: async (call, name) => {
    const { flags, client } = call;
    const type = client.names.fill('{label}/dockerconfigjson');
    const files = { ...call, flags: { ...flags, 'from-env-file': '', 'from-literal': [] } };
    const given = flags['from-file'].length > 0;
    const said = given ? await dataOf(files, `Secret ${JSON.stringify(name)}`) : { '.dockerconfigjson': loginOf(call) };
    const data = Object.fromEntries(Object.entries(said).map(([key, value]) => [key, base64(value)]));
    const hash = flags['append-hash'];
    const metadata = hash ? { name: await hashedName(name, { kind: 'Secret', name, type, data }) } : {};
    return { metadata, type, data };
  },
});

/** What a registry's client keeps of a login. Throws CommandError where a flag is missing. */
function loginOf({ flags, path }: Call<typeof registryFlags>): string {
  const { 'docker-username': username, 'docker-password': password, 'docker-email': email } = flags;
  if (username === '') throw misused('flag docker-username is required', path);
  if (password === '') throw misused('flag docker-password is required', path);
  const auth = base64(`${username}:${password}`);
  const entry = { username, password, ...(email === '' ? {} : { email }), auth };
  return JSON.stringify({ auths: { [flags['docker-server']]: entry } });
}

export const secret = group({
  ...{ name: 'secret', aliases: [] },
  subcommands: [generic, tls, dockerRegistry],
});

export const quota = generator({
  name: 'quota',
  aliases: ['resourcequota'],
  flags: {
    hard: text(),
    scopes: text(),
  },
  makes: 'resourcequotas',
  failure: 'failed to create quota',
  make: ({ flags: { hard, scopes } }) => {
    const limits = amounts(hard);
    return {
      spec: { ...(limits ? { hard: limits } : {}), ...(scopes === '' ? {} : { scopes: scopes.split(',') }) },
      status: {},
    };
  },
});

export const priorityClass = generator({
  name: 'priorityclass',
  aliases: ['pc'],
  flags: {
    description: text(),
    'global-default': toggle(),
    'preemption-policy': text({
      initial: 'PreemptLowerPriority',
    }),
    value: integer(),
  },
  makes: 'priorityclasses',
  // The reference says it in these words.
  failure: 'failed to create clusterrolebinding',
  make: ({ flags }) => ({
    value: flags.value,
    preemptionPolicy: flags['preemption-policy'],
    ...(flags.description === '' ? {} : { description: flags.description }),
    ...(flags['global-default'] ? { globalDefault: true } : {}),
  }),
});
