import { assetPath } from '../../assets/assets.ts';
import { postPath } from '../../posts/post-paths.ts';
import { isoDate, longDate } from '../dates.ts';
import { renderDocument } from '../document.tsx';
import { IndexLink, Navigation, SiteFooter } from '../layout.tsx';
import { FleetPicture } from './fleet-picture.tsx';
import type { HomeContent } from './home-content.ts';

/** Renders the home page as an HTML document. */
export function homeHtml(content: HomeContent): string {
  const { identity, headline, signInUrl } = content;
  const url = `${identity.url}/`;
  const head = {
    path: '/',
    title: `${identity.name}: GPU fleet observability and security`,
    description: identity.description,
    linkedData: {
      '@graph': [
        { '@type': 'WebSite', name: identity.name, description: identity.description, url },
        {
          '@type': 'Organization',
          name: identity.name,
          url,
          contactPoint: {
            '@type': 'ContactPoint',
            email: identity.contact.email,
            contactType: 'customer support',
          },
        },
      ],
    },
  };
  return renderDocument(
    head,
    identity,
    <>
      <header class="sky">
        <IndexLink />
        <div class="masthead">
          <p class="name">
            <img src={assetPath('dome.svg')} alt="" width="28" height="28" />
            {identity.name}
          </p>
          <Navigation path="/" />
        </div>
        <FleetPicture />
      </header>
      <main>
        <h1>{headline}</h1>
        <p class="lead">{identity.description}</p>
        {signInUrl !== undefined && (
          <p class="actions">
            <a class="button" href={signInUrl}>
              Sign in
            </a>
          </p>
        )}
        <ConsolePicture />
        <Health {...content} />
        <NewestResearch {...content} />
        <WhenToUse {...content} />
        <Services {...content} />
        <FirstCall {...content} />
        <Machines {...content} />
      </main>
      <SiteFooter identity={identity} path="/" />
    </>,
  );
}

/** A screenshot of the console (apps/console/README.md#pictures), in the theme of the reader. */
const ConsolePicture = () => (
  <figure class="console">
    <picture>
      <source srcset={assetPath('console-dark.png')} media="(prefers-color-scheme: dark)" />
      <img
        src={assetPath('console-light.png')}
        alt="The overview of the console: a dome with one dot per GPU, the number of GPUs in each health state, and what changed in the last hour."
        width="1280"
        height="800"
      />
    </picture>
    <figcaption>The console, with the simulated fleet of the local stack.</figcaption>
  </figure>
);

const Health = ({ healthStates }: HomeContent) => (
  <section>
    <h2>One health state per GPU, with evidence</h2>
    <dl class="health">
      {healthStates.map(({ health, meaning }) => (
        <div>
          <dt class={health}>{health}</dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  </section>
);

function NewestResearch({ newestPosts }: HomeContent) {
  if (newestPosts.length === 0) return null;
  return (
    <section>
      <h2>Newest research</h2>
      <div>
        <ol class="newest">
          {newestPosts.map((post) => (
            <li lang={post.language}>
              <h3 dir="auto">
                <a href={postPath(post.slug)}>{post.title}</a>
              </h3>
              <p dir="auto">{post.summary}</p>
              <p class="when" lang="en">
                <time datetime={isoDate(post.published_at)}>{longDate(post.published_at)}</time>
                <span>{post.reading_minutes} min read</span>
              </p>
            </li>
          ))}
        </ol>
        <p class="all">
          <a href="/blog">All research</a>
        </p>
      </div>
    </section>
  );
}

const WhenToUse = ({ identity }: HomeContent) => (
  <section>
    <h2>When to use it</h2>
    <ul>
      {identity.when_to_use.map((use) => (
        <li>{use}</li>
      ))}
    </ul>
  </section>
);

const Services = ({ services }: HomeContent) => (
  <section>
    <h2>Three hostnames</h2>
    <div class="services">
      {services.map(({ name, apiUrl, purpose, access, openApiUrl, referenceUrl }) => (
        <article>
          <h3>{name}</h3>
          <p>
            <code>{apiUrl}</code>
          </p>
          <p>{purpose}</p>
          <p class="access">{access}</p>
          <p class="links">
            <a href={referenceUrl}>Reference</a> <a href={openApiUrl}>OpenAPI</a>
          </p>
        </article>
      ))}
    </div>
  </section>
);

const FirstCall = ({ signIn, firstCall }: HomeContent) => (
  <section>
    <h2>First call</h2>
    <div>
      <p>{signIn}</p>
      <pre tabindex={0}>
        <code>{firstCall}</code>
      </pre>
    </div>
  </section>
);

const Machines = ({ machineResources }: HomeContent) => (
  <section>
    <h2>For agents and scripts</h2>
    <dl class="machines">
      {machineResources.map(({ title, url, description }) => (
        <div>
          <dt>
            <a href={url}>{title}</a>
          </dt>
          <dd>{description}</dd>
        </div>
      ))}
    </dl>
  </section>
);
