import { withWebsite } from '../../src/openapi/serve-reference.ts';

test('the reference of a service links to the website, if it is known', () => {
  const publicUrl = 'https://api.example';
  const other = { name: 'Other', url: 'https://other.example/docs' };
  expect(withWebsite({ publicUrl, links: [other] }, 'https://site.example')).toEqual({
    publicUrl,
    homeUrl: 'https://site.example',
    links: [
      { name: 'Website', url: 'https://site.example' },
      { name: 'Developers', url: 'https://site.example/developers' },
      other,
    ],
  });
  expect(withWebsite({ publicUrl, links: [other] }, undefined)).toEqual({ publicUrl, links: [other] });
  const website = { publicUrl, homeUrl: '/', links: [other] };
  expect(withWebsite(website, 'https://site.example')).toBe(website);
});
