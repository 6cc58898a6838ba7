import { BookOpenText, ChevronRight, Play, RotateCcw } from 'lucide-preact';
import { useState, type FormEvent } from 'preact/compat';
import { Button, Empty, ErrorNote, StateMark, TextInput } from '../../parts/index.ts';
import { useAddress } from '../../stores/address.ts';
import { useLiveObjects } from '../../stores/liveObjects.ts';
import { continueInconsistently, nextPage, readToken, startPaging, usePaging, type Page } from '../../stores/paging.ts';
import { useResources, type Resource } from '../../stores/resources.ts';
import ResourcePicker from '../explore/ResourcePicker.tsx';
import { CommandsButton } from '../commands/CommandsButton.tsx';
import { rawListCommand } from '../commands/readings.ts';
import { ObjectLink } from '../object/ObjectLink.tsx';
import { useAskedResource } from './asked.ts';
import styles from './PagingTab.module.css';

/** Pages of one snapshot beside the collection as it is now. */
export function PagingTab() {
  const { resource, pages, problem } = usePaging();
  return (
    <>
      <PagingForm />
      {!resource ? (
        <Empty icon={BookOpenText} title="No pages yet">
          Read a list a few objects at a time. Write in between: all pages show the state of the first one, until its
          revision is compacted.
        </Empty>
      ) : (
        <div className={styles.beside}>
          <section className={styles.pages} aria-label="Pages">
            {pages.map((page, index) => (
              <PageView key={index} page={page} number={index + 1} resource={resource} />
            ))}
            {problem && <Expired />}
            <Next />
          </section>
          <Now resource={resource} pages={pages} />
        </div>
      )}
    </>
  );
}

function PagingForm() {
  const resources = useResources((state) => state.resources);
  const namespace = useAddress((address) => address.query['ns'] ?? '');
  const asked = useAskedResource();
  const [chosen, setChosen] = useState<Resource>();
  const shown = usePaging((state) => state.resource);
  const askedLimit = useAddress((address) => address.query['limit']);
  const [typed, setLimit] = useState<string>();
  const limit = typed ?? askedLimit ?? String(usePaging.getState().limit);
  const resource = chosen ?? asked ?? shown ?? resources.find((each) => each.resource === 'clusterroles');
  if (!resource) return null;
  const listing = { resource, namespace: resource.namespaced ? namespace : '' };
  const most = Math.max(1, Number(limit) || 1);
  const start = (event: FormEvent<HTMLElement>): void => {
    event.preventDefault();
    void startPaging(resource, listing.namespace, most);
  };
  return (
    <form className={styles.form} onSubmit={start}>
      <span className={styles.what}>
        <ResourcePicker current={resource} onChoose={setChosen} />
      </span>
      <TextInput
        aria-label="Objects on a page"
        inputMode="numeric"
        className={styles.limit}
        value={limit}
        onText={setLimit}
      />
      <span className={styles.word}>on a page</span>
      <Button type="submit" look="primary" icon={Play}>
        Read the first page
      </Button>
      <CommandsButton
        of={{ label: 'Read the first page', commands: () => [rawListCommand(listing, { limit: most })] }}
      />
    </form>
  );
}

/** What `nameOf` wrote, as a link to the object. */
function NameLink({ resource, name: text }: { readonly resource: Resource; readonly name: string }) {
  const [name = '', namespace = ''] = text.split('/').reverse();
  return (
    <>
      {namespace && `${namespace}/`}
      <ObjectLink resource={resource} namespace={namespace} name={name} />
    </>
  );
}

interface PageViewProps {
  readonly page: Page;
  readonly number: number;
  readonly resource: Resource;
}

function PageView({ page, number, resource }: PageViewProps) {
  const token = page.token ? readToken(page.token) : undefined;
  return (
    <article className={styles.page} aria-label={`Page ${number}`}>
      <header className={styles.head}>
        <span className={styles.title}>Page {number}</span>
        <span className={styles.revision}>@{page.revision}</span>
        {page.inconsistent && <StateMark state="pending" text="from a newer snapshot" />}
      </header>
      <ul className={styles.names}>
        {page.names.map((name) => (
          <li key={name}>
            <NameLink resource={resource} name={name} />
          </li>
        ))}
      </ul>
      <p className={styles.token}>
        {page.token
          ? `${page.remaining === undefined ? 'More' : `${page.remaining} more`}. The token says: after ${token?.start || '…'}, at revision ${token?.revision || page.revision}. It is good for as long as that revision is kept.`
          : 'The last page.'}
      </p>
    </article>
  );
}

function Next() {
  const { resource, namespace, limit, pages, busy, problem } = usePaging();
  const token = pages.at(-1)?.token;
  if (problem || !resource || !token) return null;
  const commands = (): string[] => [rawListCommand({ resource, namespace }, { limit, continue: token })];
  return (
    <span className={styles.next}>
      <Button icon={ChevronRight} busy={busy} onClick={() => void nextPage()}>
        Next page
      </Button>
      <CommandsButton of={{ label: 'Next page', commands }} />
    </span>
  );
}

/** The snapshot is gone: what a client can do then. */
function Expired() {
  const { problem, fresh, resource, namespace, limit } = usePaging();
  if (!problem || !resource) return null;
  return (
    <ErrorNote
      title={problem.code === 410 ? 'The snapshot is no longer kept.' : 'The page was refused.'}
      actions={
        <>
          <Button icon={RotateCcw} onClick={() => void startPaging(resource, namespace, limit)}>
            Start over
          </Button>
          {fresh && (
            <Button icon={ChevronRight} onClick={() => void continueInconsistently()}>
              Go on without consistency
            </Button>
          )}
        </>
      }
    >
      {problem.code} {problem.message}
    </ErrorNote>
  );
}

const nameOf = ({ namespace, name }: { readonly namespace?: string; readonly name?: string }): string =>
  namespace ? `${namespace}/${name ?? ''}` : (name ?? '');

/** The collection as it is now; what the pages don't know, and what they show though it has gone. */
function Now({ resource, pages }: { readonly resource: Resource; readonly pages: readonly Page[] }) {
  const namespace = usePaging((state) => state.namespace);
  const live = useLiveObjects({ resource, ...(namespace ? { namespace } : {}), metadataOnly: true });
  const names = live.objects.map((object) => nameOf(object.metadata)).sort();
  const snapshot = Number(pages[0]?.revision ?? 0);
  const fresh = new Set(
    live.objects
      .filter((object) => Number(object.metadata.resourceVersion) > snapshot)
      .map((object) => nameOf(object.metadata)),
  );
  const gone = pages.flatMap((page) => page.names).filter((name) => live.phase === 'live' && !names.includes(name));
  return (
    <section className={styles.now} aria-label="Now">
      <header className={styles.head}>
        <span className={styles.title}>Now</span>
        <span className={styles.revision}>{names.length} objects</span>
      </header>
      <ul className={styles.names}>
        {gone.map((name) => (
          <li key={`gone ${name}`}>
            <StateMark state="deleted" text={name} />
          </li>
        ))}
        {names.map((name) => (
          <li key={name} className={styles.name}>
            {fresh.has(name) && <StateMark state="changed" text="" />}
            <NameLink resource={resource} name={name} />
          </li>
        ))}
      </ul>
    </section>
  );
}
