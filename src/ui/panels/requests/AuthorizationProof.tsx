import { Minus } from 'lucide-preact';
import { getOwn } from '../../../std/index.ts';
import type { ReactNode } from 'preact/compat';
import { Ident, StateMark } from '../../parts/index.ts';
import { asList, asText, asTexts, at } from '../../stores/jsonValues.ts';
import { useCluster } from '../../stores/session.ts';
import type { State } from '../../theme/states.ts';
import { FieldLink, KindLink } from '../object/ObjectLink.tsx';
import { MissSentence } from './MissSentence.tsx';
import styles from './AuthorizationProof.module.css';

interface ProofProps {
  readonly attributes: unknown;
  readonly verdicts: readonly unknown[];
  readonly allowed: boolean;
}

interface Decision {
  /** Undefined where it decided nothing. */
  readonly state: State | undefined;
  readonly word: string;
}

const decisions: Readonly<Record<string, Decision>> = {
  allow: { state: 'allowed', word: 'allows it' },
  deny: { state: 'denied', word: 'denies it' },
  'no-opinion': { state: undefined, word: 'has no opinion' },
};

/** `get pods "web" in default`: what was wanted. */
function wishText(attributes: unknown): string {
  const get = (key: string): string => asText(at(attributes, key));
  if (at(attributes, 'isResource') === false) return `${get('verb')} ${get('path')}`;
  const resource = `${get('resource')}${get('subresource') && `/${get('subresource')}`}${get('group') && `.${get('group')}`}`;
  return `${get('verb')} ${resource}${get('name') && ` “${get('name')}”`}${get('namespace') ? ` in ${get('namespace')}` : ' in the whole cluster'}`;
}

/** Module by module: what each decided and by which rule; for a refusal, the rules that came nearest. */
export function AuthorizationProof({ attributes, verdicts, allowed }: ProofProps) {
  return (
    <div className={styles.proof}>
      <p className={styles.wish}>
        <Ident>{asText(at(attributes, 'user', 'name'))}</Ident> wants to <Ident>{wishText(attributes)}</Ident>
      </p>
      <ul className={styles.verdicts}>
        {verdicts.map((verdict, index) => (
          <VerdictItem key={index} verdict={verdict} />
        ))}
      </ul>
      {!allowed && <p className={styles.end}>No module allowed it, so it is denied.</p>}
    </div>
  );
}

function VerdictItem({ verdict }: { readonly verdict: unknown }) {
  const decision = getOwn(decisions, asText(at(verdict, 'decision'))) ?? {
    state: undefined,
    word: asText(at(verdict, 'decision')),
  };
  const proof = at(verdict, 'proof');
  const error = asText(at(verdict, 'error'));
  return (
    <li className={styles.verdict}>
      <p>
        <ModuleMark state={decision.state} module={asText(at(verdict, 'module'))} /> {decision.word}
      </p>
      {asText(at(verdict, 'reason')) && <p className={styles.reason}>{asText(at(verdict, 'reason'))}</p>}
      {error && <p className={styles.error}>{error}</p>}
      {at(proof, 'binding') !== undefined && at(proof, 'rule') !== undefined && <Allowance proof={proof} />}
      <NearMisses misses={asList(at(proof, 'nearMisses'))} />
    </li>
  );
}

/** A module's name at the sign of what it decided; at a dash where it decided nothing. */
function ModuleMark({ state, module }: Pick<Decision, 'state'> & { readonly module: string }) {
  if (state) return <StateMark state={state} text={module} />;
  return (
    <span className={styles.undecided}>
      <Minus className={styles.icon} aria-hidden />
      {module}
    </span>
  );
}

interface AccessLinkProps {
  readonly id: unknown;
  /** The name alone, without its kind. */
  readonly bare?: boolean;
}

/** A role or binding as the proof names it, as a link. */
export function AccessLink({ id, bare = false }: AccessLinkProps) {
  const { names } = useCluster();
  return (
    <KindLink
      full={!bare}
      short={bare}
      apiVersion={`rbac.authorization.${names.domain}/v1`}
      kind={asText(at(id, 'kind'))}
      namespace={asText(at(id, 'namespace'))}
      name={asText(at(id, 'name'))}
    />
  );
}

/** A rule in a line. */
export function ruleText(rule: unknown): string {
  const verbs = asTexts(at(rule, 'verbs')).join(', ');
  const groups = asTexts(at(rule, 'apiGroups')).map((group) => group || 'core');
  const resources = asTexts(at(rule, 'resources'));
  const names = asTexts(at(rule, 'resourceNames'));
  const paths = asTexts(at(rule, 'nonResourceURLs'));
  const what = resources.length > 0 ? `${resources.join(', ')} of ${groups.join(', ')}` : paths.join(', ');
  return `${verbs} ${what}${names.length > 0 ? ` named ${names.join(', ')}` : ''}`;
}

function Row({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className={styles.name}>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Allowance({ proof }: { readonly proof: unknown }) {
  const subject = at(proof, 'subject');
  return (
    <dl className={styles.chain}>
      <Row name="Subject">
        {asText(at(subject, 'kind'))} <Ident>{asText(at(subject, 'name'))}</Ident>
      </Row>
      <Row name="Binding">
        <AccessLink id={at(proof, 'binding')} />
      </Row>
      <Row name="Role">
        <AccessLink id={at(proof, 'role')} />
      </Row>
      <Row name={`Rule ${Number(at(proof, 'ruleIndex')) + 1}`}>
        <Ident>{ruleText(at(proof, 'rule'))}</Ident>
      </Row>
    </dl>
  );
}

/** A line of a role or binding, as a link into the editor. */
function AccessLine({
  id,
  field,
  children,
}: {
  readonly id: unknown;
  readonly field: string;
  readonly children: ReactNode;
}) {
  const { names } = useCluster();
  return (
    <FieldLink
      apiVersion={`rbac.authorization.${names.domain}/v1`}
      kind={asText(at(id, 'kind'))}
      namespace={asText(at(id, 'namespace'))}
      name={asText(at(id, 'name'))}
      field={field}
    >
      {children}
    </FieldLink>
  );
}

/** What would have to be changed for a difference to be gone: the object, and the field of it. */
function placeOf(miss: unknown, difference: unknown): { readonly id: unknown; readonly field: string } | undefined {
  const field = asText(at(difference, 'field'));
  if (field) return { id: at(miss, 'role'), field: `rules[${asText(at(miss, 'ruleIndex'))}].${field}` };
  const binding = at(miss, 'binding');
  if (binding === undefined) return undefined;
  return { id: binding, field: at(difference, 'part') === 'subject' ? 'subjects' : 'metadata.namespace' };
}

function NearMisses({ misses }: { readonly misses: readonly unknown[] }) {
  if (misses.length === 0) return null;
  const own = misses.filter(isSystems);
  return (
    <>
      <p className={styles.reason}>The closest rules, and what would have to change in each:</p>
      <MissList misses={misses.filter((miss) => !isSystems(miss))} />
      {own.length > 0 && (
        <details>
          <summary className={styles.reason}>
            {own.length} {own.length === 1 ? 'role' : 'roles'} of the system’s own
          </summary>
          <MissList misses={own} />
        </details>
      )}
    </>
  );
}

const isSystems = (miss: unknown): boolean => asText(at(miss, 'role', 'name')).startsWith('system:');

function MissList({ misses }: { readonly misses: readonly unknown[] }) {
  return (
    <ul className={styles.misses}>
      {misses.map((miss, index) => (
        <Miss key={index} miss={miss} />
      ))}
    </ul>
  );
}

function Miss({ miss }: { readonly miss: unknown }) {
  const rule = asText(at(miss, 'ruleIndex'));
  return (
    <li className={styles.miss}>
      <p>
        <AccessLink id={at(miss, 'role')} />,{' '}
        <AccessLine id={at(miss, 'role')} field={`rules[${rule}]`}>
          rule {Number(rule) + 1}
        </AccessLine>
        {at(miss, 'binding') !== undefined && (
          <>
            , by <AccessLink id={at(miss, 'binding')} />
          </>
        )}
      </p>
      {asList(at(miss, 'differs')).map((difference, each) => {
        const place = placeOf(miss, difference);
        return (
          <div key={each} className={styles.difference}>
            <MissSentence difference={difference} />
            {place && <AccessLine {...place}>Edit this line</AccessLine>}
          </div>
        );
      })}
    </li>
  );
}
