import { html } from 'htm/preact';
import type { VNode } from 'preact';

/** Renders a form that works without a script. The hidden field `nickname` is a trap for bots. */
export function contactForm(): VNode {
  return html`
    <form class="contact" method="post" action="/contact">
      <h2>Contact form</h2>
      <p>
        <label for="first-name">First name</label>
        <input id="first-name" name="firstName" required maxlength="100" autocomplete="given-name" />
      </p>
      <p>
        <label for="email">Mail address</label>
        <input id="email" name="email" type="email" required maxlength="254" autocomplete="email" />
      </p>
      <p>
        <label for="company">Company (optional)</label>
        <input id="company" name="company" maxlength="200" autocomplete="organization" />
      </p>
      <p>
        <label for="message">Message</label>
        <textarea id="message" name="message" required maxlength="5000" rows="8"></textarea>
      </p>
      <p class="unseen" aria-hidden="true">
        <label for="nickname">Leave this empty</label>
        <input id="nickname" name="nickname" tabindex="-1" autocomplete="off" />
      </p>
      <p><button>Send</button></p>
    </form>
  ` as VNode;
}
