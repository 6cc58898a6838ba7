/** What the list of lessons shows, in the order in which to take them. Small: the start page has it. */
import type { LessonCard } from './engine/lesson.ts';

export const cards = {
  firstDeployment: {
    id: 'first-deployment',
    title: 'Your first Deployment',
    minutes: 4,
    learn: 'How one object that you write becomes running pods, and who does the work.',
    level: 'first steps',
  },
  roles: {
    id: 'roles',
    title: 'Roles and bindings',
    minutes: 8,
    learn: 'Who may do what: roles list what is allowed, bindings say to whom.',
    level: 'basics',
  },
  leastPrivilege: {
    id: 'least-privilege',
    title: 'Least privilege and escalation',
    minutes: 10,
    learn: 'How to give exactly what is needed, and why nobody can give more than they hold.',
    level: 'basics',
  },
  serviceAccounts: {
    id: 'service-accounts',
    title: 'Service accounts and tokens',
    minutes: 8,
    learn: 'How programs say who they are, with tokens that end.',
    level: 'basics',
  },
  certificates: {
    id: 'certificates',
    title: 'A certificate from request to use',
    minutes: 8,
    learn: 'How a client certificate is asked for, approved, signed and shown.',
    level: 'deeper',
  },
  defaultDeny: {
    id: 'default-deny',
    title: 'Default deny, and five usual mistakes',
    minutes: 12,
    learn: 'How network policies close and open ways, and where everybody slips.',
    level: 'basics',
  },
  egress: {
    id: 'egress',
    title: 'Egress and DNS',
    minutes: 8,
    learn: 'How to control where pods may go, without losing their names.',
    level: 'basics',
  },
} as const satisfies Readonly<Record<string, LessonCard>>;
