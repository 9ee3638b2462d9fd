/**
 * Replaces a language of the browser that `Intl` rejects: browsers of machines without a locale, such as wall screens and
 * containers, have "en-US@posix". uPlot 1.6.32 formats numbers in that language when its module is loaded
 * (https://github.com/leeoniya/uPlot/issues/1053).
 */
export function replaceInvalidLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true });
  }
}

replaceInvalidLanguage();
