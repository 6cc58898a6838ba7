import { List } from 'lucide-preact';
import { useEffect, useState } from 'preact/compat';
import { Section } from '../../../parts/index.ts';
import { hrefOf, useAddress } from '../../../stores/address.ts';
import { readToken } from '../../../stores/paging.ts';
import type { OpenedRequest } from '../../../stores/requests.ts';
import { useCluster } from '../../../stores/session.ts';
import type { Write } from '../../../stores/writes.ts';
import { WriteButton } from '../../commands/WriteButton.tsx';
import { shellWord } from '../../object/actions/commands.ts';
import { senderOf } from './conflictAnswer.ts';
import styles from './why.module.css';

/** The revision that a list or a watch asked for, and the request without it. */
function askedOf(url: string): { readonly revision: string; readonly anew: string } {
  const { pathname, searchParams } = new URL(url, 'http://cluster');
  const token = searchParams.get('continue');
  const revision = (token !== null && readToken(token)?.revision) || searchParams.get('resourceVersion') || '';
  for (const name of ['continue', 'resourceVersion', 'resourceVersionMatch', 'watch', 'timeoutSeconds'])
    searchParams.delete(name);
  const query = searchParams.toString();
  return { revision: String(revision), anew: query === '' ? pathname : `${pathname}?${query}` };
}

/** Why a list or a watch was answered with 410, and the button that lists anew. */
export default function WhyExpired({ request }: { readonly request: OpenedRequest }) {
  const { cluster, names } = useCluster();
  const address = useAddress();
  const [compacted, setCompacted] = useState<number>();
  useEffect(() => {
    void cluster.storage?.report().then((report) => setCompacted(report.compacted));
  }, [cluster]);
  const { revision, anew } = askedOf(request.url);
  const write: Write = {
    label: 'List anew',
    done: 'The list was read anew.',
    failed: 'The list could not be read.',
    as: senderOf(request),
    send: async (client) => (await client.raw(anew)).body?.cancel(),
    commands: () => [`${names.ctl} get --raw ${shellWord(anew)}`],
  };
  return (
    <Section title="Why it expired">
      <div className={styles.answer}>
        <p>
          The request continues from revision {revision || 'an earlier one'}, which is no longer kept
          {compacted !== undefined && `: storage was compacted at revision ${compacted}`}.
        </p>
        <ul className={styles.proof}>
          <li>
            <a href={hrefOf({ panel: 'watch', path: ['storage'] }, address)}>
              What storage keeps, and when it is compacted
            </a>
          </li>
        </ul>
        <WriteButton icon={List} write={write} />
        <p className={styles.faint}>
          It reads the objects as they are now. What changed between both revisions is not shown one by one. A watch
          goes on from the revision of the new list.
        </p>
      </div>
    </Section>
  );
}
