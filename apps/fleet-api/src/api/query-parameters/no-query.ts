/** The query of an endpoint that takes no parameters: any is refused. */
export class NoQuery {}
