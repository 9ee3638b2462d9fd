/** The query string of an endpoint that takes none: whatever is there is refused. */
export class NoParameters {}
