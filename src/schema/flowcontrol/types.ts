/** The TypeScript types of what this folder declares, for rooms that work on objects; `../objects.ts` gathers them. */
export type {
  UserSubject,
  GroupSubject,
  ServiceAccountSubject,
  ResourcePolicyRule,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  FlowDistinguisherMethod,
  PriorityLevelConfigurationReference,
  FlowSchemaSpec,
  FlowSchemaCondition,
  FlowSchemaStatus,
  FlowSchema,
} from './flowSchema.ts';
export type {
  QueuingConfiguration,
  LimitResponse,
  LimitedPriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  PriorityLevelConfigurationCondition,
  PriorityLevelConfigurationStatus,
  PriorityLevelConfiguration,
} from './priorityLevelConfiguration.ts';
