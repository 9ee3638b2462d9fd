export { ServiceContract, type ServiceContractName } from './between-services/service-contract.ts';
export { type HttpRequest, type HttpResponse, jsonBody } from './deployment/http-exchange.ts';
export { Deployment } from './deployment/deployment.ts';
export { committedDocument, type ServiceName } from './document/openapi-document.ts';
export { checkRules } from './rules/check-rules.ts';
export { rulesByService } from './rules/rules-by-service.ts';
export { Target } from './rules/target.ts';
