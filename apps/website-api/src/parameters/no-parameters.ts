/** Query parameters of an endpoint that accepts none: any parameter is rejected. */
export class NoParameters {}
