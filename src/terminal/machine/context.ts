/** For which context commands are: the page's own, or another that somebody chose and that is kept in the home folder. */
import { chosenContext, type Chosen, type Session } from '../../cli/index.ts';
import type { Surroundings } from '../surroundings.ts';
import { HOME, type Home } from './home.ts';

const KUBECONFIG = '.kube/config';

/** The page's own context, and where others are kept. */
export const ownContext = (name: string, { user }: Surroundings): Pick<Session, 'context' | 'kubeconfig'> => ({
  context: { name, cluster: name, user: user(), server: `/clusters/${name}` },
  kubeconfig: `${HOME}/${KUBECONFIG}`,
});

export interface Acting extends Pick<Chosen, 'headers'> {
  /** Whether the page's own context is the one. */
  readonly own: boolean;
  readonly user: string;
  readonly namespace: string;
}

/** As whom commands ask, and in which namespace. */
export async function actingAs(name: string, home: Home, surroundings: Surroundings): Promise<Acting> {
  const page = { own: true, headers: [], user: surroundings.user(), namespace: surroundings.namespace() };
  const files = { read: async () => home.text(KUBECONFIG) };
  const session = { ...ownContext(name, surroundings), namespace: page.namespace, files };
  try {
    const { own, user, subject, namespace, headers } = await chosenContext(session, {});
    // Whose a secret token is the server alone knows.
    return own ? page : { own, user: subject || `the credentials of ${user}`, namespace, headers };
  } catch {
    // The next command says what is wrong with the configuration.
    return page;
  }
}
