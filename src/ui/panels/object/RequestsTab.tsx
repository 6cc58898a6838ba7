import { Activity } from 'lucide-preact';
import { Empty } from '../../parts/index.ts';
import { pathTo, type ObjectRef } from '../../stores/resources.ts';
import { useRequests, type LoggedRequest } from '../../stores/requests.ts';
import { RequestTable } from '../requests/RequestTable.tsx';

const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/]+/, '').split('?')[0] ?? '';

/** Whether a request wrote or read this very object, or created it. */
function concerns(request: LoggedRequest, path: string, key: string): boolean {
  const asked = pathOf(request.url);
  if (asked === path || asked.startsWith(`${path}/`)) return true;
  return request.stages.some((stage) => stage.stage === 'stored' && stage.key.endsWith(key));
}

/** The requests in the log that concern one object. */
export function RequestsTab({ target }: { readonly target: ObjectRef }) {
  const { resource, namespace, name } = target;
  const path = pathTo(resource, namespace, name);
  const key = `/${resource.resource}/${namespace ? `${namespace}/` : ''}${name}`;
  const requests = useRequests((log) => log.requests).filter((request) => concerns(request, path, key));
  if (requests.length === 0) {
    return (
      <Empty icon={Activity} title="No requests yet">
        Reads and writes of this object, by anyone, appear here from now on.
      </Empty>
    );
  }
  return <RequestTable requests={requests} />;
}
