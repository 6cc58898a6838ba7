import { Bot, CircleHelp, KeyRound, ShieldQuestion, UserRound, UsersRound, type LucideIcon } from 'lucide-preact';
import { useEffect, useState } from 'preact/compat';
import { getOwn } from '../../../std/index.ts';
import { Button, DataTable, Empty, Select, StateMark, TextInput, type Column } from '../../parts/index.ts';
import type { AccessGrant, AccessWish } from '../../host.ts';
import { useAddress } from '../../stores/address.ts';
import { useObserver } from '../../stores/clients.ts';
import { useNamespaces, useRevision } from '../../stores/following.ts';
import { actAs, identityOf, nameOfIdentity, useIdentity, type Identity } from '../../stores/identity.ts';
import { mayDo, type Verdict } from '../../stores/permissions.ts';
import { useResources, type Resource } from '../../stores/resources.ts';
import { useCluster } from '../../stores/session.ts';
import { CommandsButton } from '../commands/CommandsButton.tsx';
import { accessCommands } from '../commands/readings.ts';
import { EndName } from '../../parts/EndName.tsx';
import { useNarrow } from '../../parts/narrow.ts';
import ResourcePicker from '../explore/ResourcePicker.tsx';
import { AccessLink } from '../requests/AuthorizationProof.tsx';
import { Changes } from './Changes.tsx';
import { subjectText, userOf, wishFor } from './words.ts';
import styles from './access.module.css';

const VERBS = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  'bind',
  'escalate',
  'impersonate',
  'use',
  'approve',
  'sign',
];

/** The identity that a subject stands for; a group is tried with a user of no other name. */
function identityOfSubject({ kind, namespace = '', name }: AccessGrant['subject']): Identity {
  if (kind === 'ServiceAccount') return { kind: 'account', namespace, name };
  return kind === 'Group' ? { kind: 'user', name: 'somebody', groups: [name] } : identityOf(name);
}

/** Where there is little room, an icon stands for the kind, and the namespace gives way before the name does. */
function Subject({ subject }: { readonly subject: AccessGrant['subject'] }) {
  const { kind, namespace = '', name } = subject;
  const narrow = useNarrow();
  const Icon = getOwn(icons, kind) ?? CircleHelp;
  return (
    <button
      type="button"
      className={styles.subject}
      title={`Act as ${name}`}
      onClick={() => actAs(identityOfSubject(subject))}
    >
      {narrow ? (
        <Icon className={styles.kind} aria-label={kind} role="img" />
      ) : (
        <span className={styles.faint}>{kind}</span>
      )}
      <span className={styles.who}>
        {namespace && <span className={styles.namespace}>{namespace}/</span>}
        <EndName name={name} />
      </span>
    </button>
  );
}

const icons: Readonly<Record<string, LucideIcon>> = { User: UserRound, Group: UsersRound, ServiceAccount: Bot };

const columns: readonly Column<AccessGrant>[] = [
  {
    key: 'subject',
    title: 'Subject',
    width: 62,
    order: ({ subject }) => subjectText(subject),
    cell: ({ subject }) => <Subject subject={subject} />,
  },
  {
    key: 'binding',
    title: 'By binding',
    width: 46,
    order: ({ binding }) => binding.name,
    cell: ({ binding }) => <AccessLink bare id={binding} />,
  },
  {
    key: 'role',
    title: 'Role',
    width: 46,
    order: ({ role }) => role.name,
    cell: ({ role }) => <AccessLink bare id={role} />,
  },
  { key: 'rule', title: 'Rule', width: 6, cell: ({ ruleIndex }) => ruleIndex + 1 },
];

/** Where there is little room, a binding stands below its subject. */
const narrowColumns: readonly Column<AccessGrant>[] = [
  {
    key: 'subject',
    title: 'Subject, and by which binding',
    width: 40,
    order: ({ subject }) => subjectText(subject),
    cell: ({ subject, binding }) => (
      <>
        <Subject subject={subject} />
        <span className={styles.below}>
          <AccessLink bare id={binding} />
        </span>
      </>
    ),
  },
];

const keyOf = ({ subject, binding, ruleIndex }: AccessGrant): string =>
  `${subjectText(subject)} ${subjectText(binding)} ${ruleIndex}`;

/** All who may do one thing; and what would have to change so that the present identity may. */
export function WhoCanTab() {
  const { wish, form } = useWish();
  const holders = useHolders(wish);
  const narrow = useNarrow();
  if (!wish) return null;
  return (
    <>
      {form}
      <div className={styles.answer}>
        <Mine wish={wish} />
      </div>
      <DataTable
        label="Who can"
        columns={narrow ? narrowColumns : columns}
        lines={narrow ? 2 : 1}
        rows={holders}
        rowKey={keyOf}
        empty={
          <Empty icon={ShieldQuestion} title="Nobody is bound to a role that allows this">
            Superusers still may: the group system:masters is never refused.
          </Empty>
        }
      />
    </>
  );
}

function useWish() {
  const resources = useResources((state) => state.resources);
  const shown = useAddress((address) => address.query['ns'] ?? '');
  const namespaces = useNamespaces();
  const [verb, setVerb] = useState('get');
  const [chosen, setChosen] = useState<Resource>();
  const [subresource, setSubresource] = useState('');
  const [namespace, setNamespace] = useState(shown);
  const [name, setName] = useState('');
  const resource = chosen ?? resources.find((each) => each.resource === 'pods');
  const wish = resource && wishFor({ verb, resource, subresource, namespace, name });
  const subresources = [
    { value: '', label: 'the object itself' },
    ...(resource?.subresources ?? []).map((value) => ({ value, label: value })),
  ];
  const form = resource && (
    <form className={styles.form} onSubmit={(event) => event.preventDefault()}>
      <span className={styles.word}>Who can</span>
      <Select
        aria-label="Verb"
        className={styles.verb}
        value={verb}
        options={VERBS.map((value) => ({ value, label: value }))}
        onValue={setVerb}
      />
      <span className={styles.picker}>
        <ResourcePicker
          current={resource}
          onChoose={(next) => {
            setChosen(next);
            setSubresource('');
          }}
        />
      </span>
      {subresources.length > 1 && (
        <Select
          aria-label="Subresource"
          className={styles.scope}
          value={subresource}
          options={subresources}
          onValue={setSubresource}
        />
      )}
      {resource.namespaced && (
        <Select
          aria-label="Namespace"
          className={styles.scope}
          value={namespace}
          options={[
            { value: '', label: 'in the whole cluster' },
            ...namespaces.map((value) => ({ value, label: `in ${value}` })),
          ]}
          onValue={setNamespace}
        />
      )}
      <TextInput aria-label="Name" placeholder="of any name" className={styles.name} value={name} onText={setName} />
      <CommandsButton
        of={{ label: 'Who can', commands: () => accessCommands({ verb, resource, subresource, namespace, name }) }}
      />
    </form>
  );
  return { wish, form };
}

function useHolders(wish: AccessWish | undefined): readonly AccessGrant[] {
  const { cluster } = useCluster();
  const revision = useRevision();
  const [holders, setHolders] = useState<readonly AccessGrant[]>([]);
  const text = JSON.stringify(wish);
  useEffect(() => {
    let gone = false;
    if (text !== undefined)
      void cluster.access?.whoCan(JSON.parse(text) as AccessWish).then(
        (found) => gone || setHolders(found),
        () => undefined,
      );
    return () => {
      gone = true;
    };
    // Any write may have changed who can.
  }, [cluster, text, revision]);
  return holders;
}

/** Whether the present identity may, and if not what would change that. */
function Mine({ wish }: { readonly wish: AccessWish }) {
  const client = useObserver();
  const identity = useIdentity((state) => state.current);
  const revision = useRevision();
  const [verdict, setVerdict] = useState<Verdict>();
  const [open, setOpen] = useState(false);
  const text = JSON.stringify(wish);
  useEffect(() => {
    let gone = false;
    const { verb, group, resource, subresource, namespace, name } = JSON.parse(text) as AccessWish;
    mayDo(client, { verb, group, resource, subresource, namespace, name }).then(
      (found) => !gone && setVerdict(found),
      () => !gone && setVerdict(undefined),
    );
    return () => {
      gone = true;
    };
  }, [client, text, revision]);
  if (!verdict) return null;
  return (
    <>
      <p className={styles.mine}>
        <StateMark
          filled
          state={verdict.allowed ? 'allowed' : 'denied'}
          text={`${nameOfIdentity(identity)} ${verdict.allowed ? 'may' : 'may not'}`}
        />
        {!verdict.allowed && (
          <Button icon={KeyRound} aria-expanded={open} onClick={() => setOpen(!open)}>
            What would allow it
          </Button>
        )}
      </p>
      {open && !verdict.allowed && <Changes asked={{ ...wish, user: userOf(identity) }} />}
    </>
  );
}
