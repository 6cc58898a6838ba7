import { ScrollText } from 'lucide-preact';
import { Code, CopyButton, Empty, Facts, Ident, Section, StateMark } from '../../parts/index.ts';
import { InspectorHead } from '../../shell/InspectorHead.tsx';
import { hrefOf, useAddress } from '../../stores/address.ts';
import { useAudit, type AuditEntry } from '../../stores/audit.ts';
import { dateAndTime } from '../../stores/clock.ts';
import { asList, asText, asTexts, at } from '../../stores/jsonValues.ts';
import { useRequests } from '../../stores/requests.ts';
import { stateOfStatus } from '../../theme/states.ts';
import { UserLink } from '../object/UserLink.tsx';
import styles from './audit.module.css';

/** One audit event, as it stands in the log. */
export default function AuditInspector({ selection }: { readonly selection: string }) {
  const entry = useAudit((audit) => audit.entries.find(({ key }) => key === selection));
  if (!entry) {
    return (
      <Empty icon={ScrollText} title="This event is no longer available">
        The page keeps the latest five thousand events; older ones are in the log.
      </Empty>
    );
  }
  const text = JSON.stringify(entry.event, null, 2);
  return (
    <>
      <InspectorHead kind={`Audit event · ${dateAndTime(entry.at)}`} name={`${entry.verb} ${entry.target}`} />
      <div className={styles.scroller}>
        <Section title="Event">
          <Summary entry={entry} />
        </Section>
        <Section title="JSON" end={<CopyButton text={text} label="Copy the event" />}>
          <div className={styles.json}>
            <Code text={text} />
          </div>
        </Section>
      </div>
    </>
  );
}

function Summary({ entry }: { readonly entry: AuditEntry }) {
  const { code, event } = entry;
  const state = code === undefined ? undefined : stateOfStatus(code);
  return (
    <Facts
      facts={[
        ['User', <UserLink key="user" name={entry.user} groups={groupsOf(event)} />],
        ['On behalf of', at(event, 'impersonatedUser') === undefined ? '' : asText(at(event, 'user', 'username'))],
        ['From', asList(at(event, 'sourceIPs')).map(asText).join(', ')],
        ['User agent', asText(at(event, 'userAgent'))],
        ['Level', entry.level],
        ['Stage', entry.stage],
        ['Code', state && code !== undefined ? <StateMark key="code" state={state} text={String(code)} /> : code],
        ['Request', <RequestLink key="request" auditId={entry.auditId} />],
      ]}
    />
  );
}

/** The groups of whom the event names as the user. */
function groupsOf(event: AuditEntry['event']): readonly string[] {
  const who = at(event, 'impersonatedUser') ?? at(event, 'user');
  return asTexts(at(who, 'groups'));
}

/** The request in the log, where it is still there. */
function RequestLink({ auditId }: { readonly auditId: string }) {
  const address = useAddress();
  const found = useRequests((log) => log.requests.some((request) => request.id === auditId));
  if (!found) return <Ident>{auditId}</Ident>;
  return (
    <a className={styles.link} href={hrefOf({ query: { sel: `request:${auditId}`, tab: undefined } }, address)}>
      Request path
    </a>
  );
}
