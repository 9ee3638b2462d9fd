// Made by "npm run generate" from apps/website-api/openapi.json; change that instead.

export interface paths {
  '/api/site': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** What this service is, how to reach its people, and when to use it */
    get: operations['getSiteIdentity'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/posts': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Published posts, newest first */
    get: operations['listBlogPosts'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/posts/{slug}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One post with its whole text as markdown */
    get: operations['getBlogPost'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/categories': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** All categories with their published posts counted */
    get: operations['listBlogCategories'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/tags': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** All tags with their published posts counted */
    get: operations['listBlogTags'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/contact': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Ask people for a demo, or anything else
     * @description From a page of an allowed origin, or with an API key that has the scope contact:write in the x-api-key header.
     */
    post: operations['createContactRequest'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    ProblemDetails: {
      /**
       * @description about:blank: the title says all that the kind does.
       * @example about:blank
       */
      type: string;
      /** @example Bad Request */
      title: string;
      /** @example 400 */
      status: number;
      /** @description What is wrong with this request, and what would be right. */
      detail: string;
    };
    SiteContact: {
      /**
       * Format: email
       * @description A mailbox that people read.
       */
      email: string;
    };
    SiteIdentity: {
      name: string;
      /** @description What the service is, in a sentence or two. */
      description: string;
      /**
       * Format: uri
       * @description The address of this site.
       */
      url: string;
      /**
       * Format: uri
       * @description The guide for people.
       */
      docs_url: string;
      contact: components['schemas']['SiteContact'];
      /** @description When to reach for the service, and when not to. */
      when_to_use: string[];
    };
    PostSummary: {
      /** @description What addresses the post. */
      slug: string;
      title: string;
      /** @description What it is about, as plain text. */
      summary: string;
      author: string;
      /** Format: date-time */
      published_at: string;
      /** Format: date-time */
      updated_at: string;
      /** @description The slug of its category, if it has one. */
      category: string | null;
      /** @description The slugs of its tags. */
      tags: string[];
      featured: boolean;
      reading_minutes: number;
      /**
       * Format: uri
       * @description Its page; with .md appended, the same as markdown.
       */
      url: string;
    };
    PostList: {
      /** @description Newest first. */
      posts: components['schemas']['PostSummary'][];
      /** @description How many there are, whatever limit and offset say. */
      total: number;
      limit: number;
      offset: number;
    };
    Post: {
      /** @description What addresses the post. */
      slug: string;
      title: string;
      /** @description What it is about, as plain text. */
      summary: string;
      author: string;
      /** Format: date-time */
      published_at: string;
      /** Format: date-time */
      updated_at: string;
      /** @description The slug of its category, if it has one. */
      category: string | null;
      /** @description The slugs of its tags. */
      tags: string[];
      featured: boolean;
      reading_minutes: number;
      /**
       * Format: uri
       * @description Its page; with .md appended, the same as markdown.
       */
      url: string;
      /** @description The whole post as markdown. */
      body: string;
    };
    SinglePost: {
      post: components['schemas']['Post'];
    };
    TermWithCount: {
      /** @description What addresses it, and what posts are filtered by. */
      slug: string;
      /** @description As people read it. */
      name: string;
      post_count: number;
    };
    CategoryList: {
      categories: components['schemas']['TermWithCount'][];
    };
    TagList: {
      tags: components['schemas']['TermWithCount'][];
    };
    ContactRequest: {
      firstName: string;
      /**
       * Format: email
       * @description Where to answer to.
       */
      email: string;
      company?: string;
      message: string;
      /** @description Leave it out: people do not see this field of the form, and what fills it in is no person. */
      nickname?: string;
    };
    ContactReceipt: {
      message: string;
      /**
       * Format: uuid
       * @description Names the request, should you ask about it.
       */
      id: string;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  getSiteIdentity: {
    parameters: {
      query?: never;
      header?: {
        /** @description The ETag of an answer that the client has. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The identity of the site. */
      200: {
        headers: {
          /** @description Strong; one for each coding of the content. */
          ETag?: string;
          /** @description For how long it may be kept. */
          'Cache-Control'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SiteIdentity'];
        };
      };
      /** @description The client has this answer. */
      304: {
        headers: {
          /** @description Strong; one for each coding of the content. */
          ETag?: string;
          /** @description For how long it may be kept. */
          'Cache-Control'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A query parameter that is not known here. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDetails'];
        };
      };
    };
  };
  listBlogPosts: {
    parameters: {
      query?: {
        /** @description Only posts of the category with this slug. */
        category?: string;
        /** @description Only posts with the tag of this slug. */
        tag?: string;
        /** @description Only featured posts, or only the others. */
        featured?: boolean;
        limit?: number;
        /** @description How many of the newest to leave out. */
        offset?: number;
      };
      header?: {
        /** @description The ETag of an answer that the client has. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One stretch of the list. */
      200: {
        headers: {
          /** @description Strong; one for each coding of the content. */
          ETag?: string;
          /** @description For how long it may be kept. */
          'Cache-Control'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PostList'];
        };
      };
      /** @description The client has this answer. */
      304: {
        headers: {
          /** @description Strong; one for each coding of the content. */
          ETag?: string;
          /** @description For how long it may be kept. */
          'Cache-Control'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A parameter that is not known or not valid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDetails'];
        };
      };
      /** @description A backing service does not answer; Retry-After says when to come again. */
      503: {
        headers: {
          /** @description In seconds. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDetails'];
        };
      };
    };
  };
  getBlogPost: {
    parameters: {
      query?: never;
      header?: {
        /** @description The ETag of an answer that the client has. */
        'If-None-Match'?: string;
      };
      path: {
        slug: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The post. */
      200: {
        headers: {
          /** @description Strong; one for each coding of the content. */
          ETag?: string;
          /** @description For how long it may be kept. */
          'Cache-Control'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SinglePost'];
        };
      };
      /** @description The client has this answer. */
      304: {
        headers: {
          /** @description Strong; one for each coding of the content. */
          ETag?: string;
          /** @description For how long it may be kept. */
          'Cache-Control'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A query parameter that is not known here. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDetails'];
        };
      };
      /** @description There is no such post, or not yet. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDetails'];
        };
      };
      /** @description A backing service does not answer; Retry-After says when to come again. */
      503: {
        headers: {
          /** @description In seconds. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDetails'];
        };
      };
    };
  };
  listBlogCategories: {
    parameters: {
      query?: never;
      header?: {
        /** @description The ETag of an answer that the client has. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description In the order of their slugs. */
      200: {
        headers: {
          /** @description Strong; one for each coding of the content. */
          ETag?: string;
          /** @description For how long it may be kept. */
          'Cache-Control'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CategoryList'];
        };
      };
      /** @description The client has this answer. */
      304: {
        headers: {
          /** @description Strong; one for each coding of the content. */
          ETag?: string;
          /** @description For how long it may be kept. */
          'Cache-Control'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A query parameter that is not known here. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDetails'];
        };
      };
      /** @description A backing service does not answer; Retry-After says when to come again. */
      503: {
        headers: {
          /** @description In seconds. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDetails'];
        };
      };
    };
  };
  listBlogTags: {
    parameters: {
      query?: never;
      header?: {
        /** @description The ETag of an answer that the client has. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description In the order of their slugs. */
      200: {
        headers: {
          /** @description Strong; one for each coding of the content. */
          ETag?: string;
          /** @description For how long it may be kept. */
          'Cache-Control'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TagList'];
        };
      };
      /** @description The client has this answer. */
      304: {
        headers: {
          /** @description Strong; one for each coding of the content. */
          ETag?: string;
          /** @description For how long it may be kept. */
          'Cache-Control'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A query parameter that is not known here. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDetails'];
        };
      };
      /** @description A backing service does not answer; Retry-After says when to come again. */
      503: {
        headers: {
          /** @description In seconds. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDetails'];
        };
      };
    };
  };
  createContactRequest: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeat a request with the same key, and it counts once. Kept for 24 hours. */
        'idempotency-key'?: string;
        /** @description An API key with the scope contact:write. */
        'x-api-key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ContactRequest'];
      };
    };
    responses: {
      /** @description The request is stored, and will be delivered. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ContactReceipt'];
        };
      };
      /** @description A body that is not what it should be. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDetails'];
        };
      };
      /** @description Neither a key nor an origin, or an unknown key. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDetails'];
        };
      };
      /** @description A key without the scope, or an origin that is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDetails'];
        };
      };
      /** @description The Idempotency-Key came with another request before. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDetails'];
        };
      };
      /** @description A body of more than 64 KiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDetails'];
        };
      };
      /** @description A body that is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDetails'];
        };
      };
      /** @description Too many requests; Retry-After says when to come again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDetails'];
        };
      };
      /** @description A backing service does not answer; Retry-After says when to come again. */
      503: {
        headers: {
          /** @description In seconds. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDetails'];
        };
      };
    };
  };
}
