import type { AccessUser, AccessWish } from '../../host.ts';
import { Section } from '../../parts/index.ts';
import { asText, asTexts, at } from '../../stores/jsonValues.ts';
import type { OpenedRequest } from '../../stores/requests.ts';
import { Changes } from '../access/Changes.tsx';
import { sendAgain } from './again.ts';

const words = ['verb', 'path', 'namespace', 'group', 'version', 'resource', 'subresource', 'name'] as const;

/** What was asked, from the trace's record of it. */
function askedOf(attributes: unknown): AccessWish & { readonly user: AccessUser } {
  const [verb, path, namespace, group, version, resource, subresource, name] = words.map((key) =>
    asText(at(attributes, key)),
  ) as [string, string, string, string, string, string, string, string];
  const user = {
    name: asText(at(attributes, 'user', 'name')),
    groups: asTexts(at(attributes, 'user', 'groups')),
    extra: {},
  };
  const isResource = at(attributes, 'isResource') === true;
  return { verb, path, namespace, group, version, resource, subresource, name, isResource, user };
}

interface RemedyProps {
  readonly attributes: unknown;
  /** What was refused: it is sent again once it is allowed. Absent where the page asks again by itself. */
  readonly request?: OpenedRequest;
}

/** What would allow a refused request, each with the button that makes it. */
export default function Remedy({ attributes, request }: RemedyProps) {
  const asked = askedOf(attributes);
  return (
    <Section title="What would allow it">
      <Changes asked={asked} {...(request && { onApplied: () => void sendAgain(request, asked.user) })} />
    </Section>
  );
}
