export {
  ServiceContract,
  type ServiceContractName,
  type SentRequest,
} from './between-services/service-contract.ts';
export { type Answer, jsonOf, type Request } from './deployment/answer.ts';
export { Deployment } from './deployment/deployment.ts';
export { committedDocument, type ServiceName } from './document/openapi-document.ts';
export { holdRules } from './rules/hold-rules.ts';
export { rulesOf } from './rules/rules-of.ts';
export { type Finding, type Rule } from './rules/rule.ts';
export { Subject } from './rules/subject.ts';
