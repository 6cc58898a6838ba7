import type { objects } from '../../schema/index.ts';

type Taint = Pick<objects.Taint, 'key' | 'value' | 'effect'>;

/** Whether one of the tolerations covers the taint: empty keys and effects cover all. */
export function tolerates(tolerations: readonly objects.Toleration[], taint: Taint): boolean {
  return tolerations.some((toleration) => covers(toleration, taint));
}

function covers(toleration: objects.Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  if (toleration.operator === 'Exists') return true;
  return (toleration.value ?? '') === (taint.value ?? '');
}
