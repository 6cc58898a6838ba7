/** The common fields of conditions. */
export interface Condition {
  type: string;
  status: string;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}

export function conditionOf<C extends Condition>(
  conditions: readonly C[] | null | undefined,
  type: string,
): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/**
 * The list with `condition` as its last item. An equal one (status and reason) is kept, and the transition time changes
 * only with the status.
 */
export function withCondition<C extends Condition>(conditions: readonly C[] | null | undefined, condition: C): C[] {
  const current = conditionOf(conditions, condition.type);
  if (current?.status === condition.status && current.reason === condition.reason) return [...(conditions ?? [])];
  const kept =
    current?.status === condition.status && current.lastTransitionTime
      ? { lastTransitionTime: current.lastTransitionTime }
      : {};
  return [...withoutCondition(conditions, condition.type), { ...condition, ...kept }];
}

export function withoutCondition<C extends Condition>(conditions: readonly C[] | null | undefined, type: string): C[] {
  return (conditions ?? []).filter((condition) => condition.type !== type);
}
