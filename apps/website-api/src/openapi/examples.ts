import type { OperationExample } from '@gpu-observatory/service-runtime';

const post = {
  slug: 'xid-79',
  title: 'Xid 79: the GPU has fallen off the bus',
  summary: 'What the driver reports when it loses a GPU, and what to check first.',
  lang: 'en',
  author: 'Ada Lovelace',
  published_at: '2026-11-04T09:00:00.000Z',
  updated_at: '2026-11-06T15:20:00.000Z',
  category: 'engineering',
  tags: ['xid', 'fault-isolation'],
  featured: true,
  reading_minutes: 7,
  url: 'https://www.example.com/blog/xid-79',
  canonical_url: null,
  image: 'https://www.example.com/media/posts/xid-79/share.png',
};

/** Example of each operation of the website API. */
export const examples: Record<string, OperationExample> = {
  getSiteIdentity: {
    response: {
      name: 'GPU Observatory',
      description: 'GPU Observatory monitors GPU fleets and the AI workloads on them at run time.',
      url: 'https://www.example.com',
      docs_url: 'https://docs.example.com',
      contact: { email: 'hello@example.com' },
      when_to_use: ['You want to know which GPUs of your fleet are degraded, critical or missing right now.'],
    },
  },
  listBlogPosts: {
    parameters: { tag: 'xid', limit: 1 },
    response: { posts: [post], total: 3, limit: 1, offset: 0 },
  },
  getBlogPost: {
    parameters: { slug: 'xid-79' },
    response: {
      post: { ...post, body: 'A GPU that stops responding on PCI Express is reported as Xid 79.\n' },
    },
  },
  listBlogCategories: {
    response: { categories: [{ slug: 'engineering', name: 'Engineering', post_count: 5 }] },
  },
  listBlogTags: {
    response: {
      tags: [
        { slug: 'fault-isolation', name: 'fault isolation', post_count: 2 },
        { slug: 'xid', name: 'xid', post_count: 3 },
      ],
    },
  },
  createContactRequest: {
    parameters: { 'idempotency-key': '0199f1c2-7a64-7c11-9d0e-5a3f1f2b8c40' },
    body: {
      firstName: 'Ada',
      email: 'ada@acme.example',
      company: 'Acme',
      message: 'We run 512 GPUs on 64 hosts and would like to see a demo.',
    },
    response: {
      message: 'Thank you. We have received your request and will reply by mail.',
      id: '0199f1c2-8b10-7d52-a1b4-3c9e7f6a2d15',
    },
  },
};
