import { getOwn } from '../../../std/index.ts';
import { NEW, useDrafts } from '../../editor/drafts.ts';
import { Ident } from '../../parts/index.ts';
import { hrefOf, useAddress } from '../../stores/address.ts';
import { USER_AGENT } from '../../stores/clients.ts';
import { asText, at } from '../../stores/jsonValues.ts';
import type { OpenedRequest } from '../../stores/requests.ts';
import { useTarget } from './target.ts';
import { formatRef } from '../../stores/resources.ts';
import styles from './Way.module.css';

const WRITES = new Set(['POST', 'PUT', 'PATCH']);

function isOfEditor({ method, stages }: OpenedRequest): boolean {
  const received = stages[0]?.stage === 'received' ? stages[0] : undefined;
  const agent = received?.headers.find(([name]) => name.toLowerCase() === 'user-agent')?.[1];
  return agent === USER_AGENT && WRITES.has(method);
}

interface Place {
  /** The draft, as the address names it. */
  readonly draft: string;
  /** Which of a draft's documents: its kind and name. */
  readonly document?: string;
}

/** Where in the editor the object of a request is written; undefined where it did not come from there. */
function useEditorPlace(request: OpenedRequest): Place | undefined {
  const drafts = useDrafts((state) => state.drafts);
  const target = useTarget(request);
  if (!isOfEditor(request) || !target) return undefined;
  const key = formatRef(target);
  if (getOwn(drafts, key)) return { draft: key };
  const object = request.stages.findLast((stage) => stage.stage === 'object')?.object;
  const kind = asText(at(object, 'kind')) || target.resource.kind;
  if (drafts[NEW]?.text.includes(target.name)) return { draft: NEW, document: `${kind}/${target.name}` };
  return request.method === 'POST' ? undefined : { draft: key };
}

/** A field that a refusal names: a link to its line in the editor where the request was written there. */
export function EditorField({ request, field }: { readonly request: OpenedRequest; readonly field: string }) {
  const address = useAddress();
  const place = useEditorPlace(request);
  if (!place || field === '') return <Ident>{field}</Ident>;
  const query = { sel: `editor:${place.draft}`, tab: undefined, field, doc: place.document };
  return (
    <a className={styles.field} href={hrefOf({ query }, address)} title={`Go to ${field} in the editor`}>
      {field}
    </a>
  );
}
