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
} as const satisfies Readonly<Record<string, LessonCard>>;
