/** `config set-credentials`, which the reference's client can't be compared in: Debian's build of it fails there. */
import { expect, test } from 'vitest';
import { commands, run, type Session } from '../../src/cli/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { realClock } from '../../src/std/index.ts';
import { wordsOf } from './family.ts';
import { inMemory } from './ours.ts';

const files = (): Session['files'] => inMemory({ 'anna.crt': 'certificate\n', 'anna.key': 'key\n' });

async function ran(line: string, home = files()) {
  const said = { out: '', err: '', asked: '' };
  const session: Session = {
    ...{ program: 'kubectl', names: namesOf('k8s.io'), clock: realClock(), namespace: 'default', files: home },
    context: { name: 'lab', cluster: 'lab', user: 'admin', server: '/clusters/lab' },
    transport: async (_path, init) => {
      const kept = [...new Headers(init?.headers)].filter(([name]) => /^(authorization|impersonate)/.test(name));
      said.asked = kept.map(([name, value]) => `${name}: ${value}`).join('; ');
      return new Response('{}');
    },
    signal: new AbortController().signal,
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    input: async () => '',
  };
  const code = await run(commands, wordsOf(line), session);
  return { ...said, code, namespace: session.namespace };
}

/** The user as the file has it after these lines. */
async function user(...lines: readonly string[]): Promise<unknown> {
  const home = files();
  for (const line of lines)
    expect(await ran(`config set-credentials anna ${line} --kubeconfig=own`, home)).toEqual({
      ...{ out: 'User "anna" set.\n', err: '', asked: '', code: 0, namespace: 'default' },
    });
  const { out } = await ran('config view --raw --kubeconfig=own -o json', home);
  return (JSON.parse(out) as { users: readonly { user: unknown }[] }).users[0]?.user;
}

test('a user is set by a token, a name with a password, or a certificate', async () => {
  expect(await user('--token=t')).toEqual({ token: 't' });
  expect(await user('--username=u --password=p')).toEqual({ username: 'u', password: 'p' });
  expect(await user('--client-certificate=anna.crt --client-key=anna.key')).toEqual({
    ...{ 'client-certificate': 'anna.crt', 'client-key': 'anna.key' },
  });
  expect(await user('--client-certificate=anna.crt --client-key=anna.key --embed-certs')).toEqual({
    ...{ 'client-certificate-data': btoa('certificate\n'), 'client-key-data': btoa('key\n') },
  });
});

test('what is set later takes the place of another way', async () => {
  expect(await user('--username=u --password=p', '--token=t')).toEqual({ token: 't' });
  expect(await user('--token=t', '--username=u')).toEqual({ username: 'u' });
  expect(await user('--client-key=anna.key', '--client-key=anna.key --embed-certs')).toEqual({
    'client-key-data': btoa('key\n'),
  });
});

test.each([
  ['', 'Unexpected args: []'],
  ['a b', 'Unexpected args: [a b]'],
  ["''", 'you must specify a non-empty user name'],
  ['a --token=t --username=u', 'you cannot specify more than one authentication method at the same time'],
  ['a --embed-certs', 'you must specify a --client-certificate or --client-key to embed'],
  ['a --embed-certs --client-key=nosuch', 'could not stat client-key file nosuch: stat nosuch: no such file'],
  ['a --exec-command=x', 'nothing runs beside the page'],
])('set-credentials %s is refused', async (words, problem) => {
  const { err, code } = await ran(`config set-credentials ${words}`);
  expect(err).toContain(problem);
  expect(code).toBe(1);
});

test('commands ask as the user of the chosen context', async () => {
  const home = files();
  const raw = async (flags = ''): Promise<string> => (await ran(`get --raw /healthz ${flags}`, home)).asked;
  const nobody = `authorization: Basic ${btoa(':')}`;
  expect(await raw()).toBe('');
  await ran('config set-credentials anna --token=t', home);
  await ran('config set-context hers --cluster=lab --user=anna', home);
  expect(await raw()).toBe('');
  expect(await raw('--context=hers')).toBe('authorization: Bearer t');
  await ran('config use-context hers', home);
  expect(await raw()).toBe('authorization: Bearer t');
  expect(await raw('--as=bert')).toBe('authorization: Bearer t; impersonate-user: bert');
  expect(await raw('--token=other')).toBe('authorization: Bearer other');
  expect(await raw('--user=admin')).toBe('');
  expect(await raw('--context=lab')).toBe('');
  await ran('config set users.anna.act-as carl', home);
  expect(await raw()).toBe('authorization: Bearer t; impersonate-user: carl');
  expect(await raw('--as=bert')).toBe('authorization: Bearer t; impersonate-user: bert');
  // Somebody without credentials has none of the page's rights.
  await ran('config set-context nobody --cluster=lab', home);
  expect(await raw('--context=nobody')).toBe(nobody);
  await ran('config set clusters.lab.server /clusters/lab --kubeconfig=own', home);
  await ran('config set-context one --cluster=lab --user=admin --kubeconfig=own', home);
  expect(await raw('--kubeconfig=own --context=one')).toBe(nobody);
});

test('certificates of a configuration are refused, not passed over', async () => {
  const home = files();
  await ran('config set-credentials anna --client-certificate=anna.crt --client-key=anna.key', home);
  expect((await ran('get --raw /healthz --user=anna', home)).err).toContain('can’t be shown from here');
});

test('the page’s own context follows the page', async () => {
  const home = files();
  const shown = async (): Promise<string> => (await ran('config get-contexts --no-headers', home)).out;
  expect(await ran('config set contexts.lab.namespace shop', home)).toMatchObject({ code: 0, namespace: 'shop' });
  expect(await home.read('.kube/config')).not.toContain('lab');
  expect(await shown()).toContain('default');
  expect(await ran('config set-context lab --namespace=shop', home)).toMatchObject({ code: 0, namespace: 'shop' });
  expect(await ran('config unset contexts.lab.namespace', home)).toMatchObject({ code: 0, namespace: 'default' });
  await ran('config set-credentials anna --token=t', home);
  await ran('config set contexts.lab.user anna', home);
  expect((await ran('get --raw /healthz', home)).asked).toBe('authorization: Bearer t');
  await ran('config set contexts.lab.user admin', home);
  expect(await home.read('.kube/config')).not.toContain('admin');
});

test.each([
  ...['contexts', 'contexts.lab', 'contexts.lab.user', 'contexts.lab.cluster', 'clusters', 'clusters.lab'],
  ...['clusters.lab.server', 'users', 'users.admin', 'current-context'],
])('unset %s is refused, as what it takes away is the page’s own', async (path) => {
  const { err, code } = await ran(`config unset ${path}`);
  expect(err).toContain('is the page’s own: it follows what the page shows');
  expect(code).toBe(1);
  expect((await ran(`config unset ${path} --kubeconfig=own`)).err).not.toContain('the page’s own');
});

test('unset takes away what was written over the page’s own', async () => {
  const home = files();
  await ran('config set-credentials anna --token=t', home);
  await ran('config set contexts.lab.user anna', home);
  expect(await ran('config unset contexts.lab.user', home)).toMatchObject({ code: 0 });
  expect((await ran('get --raw /healthz', home)).asked).not.toContain('Bearer t');
});

test.each([
  ['YQ==', ''],
  ['YWI=', ''],
  ['a===', 'illegal base64 data at input byte 1'],
  ['YQ==YQ==', 'illegal base64 data at input byte'],
  ['ab!d', 'illegal base64 data at input byte 2'],
  ['YWJj!', 'illegal base64 data at input byte 4'],
])('data %s: %s', async (text, problem) => {
  expect((await ran(`config set clusters.x.certificate-authority-data ${text}`)).err).toContain(problem);
});

test('the files that a configuration names are read from its folder', async () => {
  const home = inMemory({ '.kube/ca.pem': 'ca\n', '.kube/token': 't\n' });
  await ran('config set-cluster far --certificate-authority=.kube/ca.pem', home);
  expect((await ran('config view --flatten', home)).out).toContain(`certificate-authority-data: ${btoa('ca\n')}`);
  await ran('config set users.anna.tokenFile token', home);
  expect((await ran('get --raw /healthz --user=anna', home)).asked).toBe('authorization: Bearer t');
});

test('whoami tells whom the server sees', async () => {
  const home = files();
  const who = async (flags = ''): Promise<string> =>
    (await ran(`auth whoami ${flags}`, home)).out.split('\n')[1]?.replace(/^Username +/, '') ?? '';
  expect(await who()).toBe('admin');
  const token = `h.${btoa(JSON.stringify({ sub: 'system:serviceaccount:shop:jane' }))}.s`;
  await ran(`config set-credentials mine --token=${token}`, home);
  expect(await who('--user=mine')).toBe('system:serviceaccount:shop:jane');
  await ran('config set users.mine.act-as carl', home);
  expect(await who('--user=mine')).toBe('carl');
  expect(await who('--user=mine --as=bert')).toBe('bert');
  await ran('config set-credentials anna --token=t', home);
  expect(await who('--user=anna')).toBe('unknown');
});
