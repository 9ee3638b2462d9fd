/** Takes the place of style sheets in tests, which find elements by text and role. */
export default {};
