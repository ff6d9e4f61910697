/** Browser and system by the agent string that a browser sends. */

export interface Agent {
  browser: string;
  system: string;
}

/** The first that fits: most browsers also claim to be the ones below them. */
const BROWSERS: [name: string, version: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Vivaldi', /\bVivaldi\/(\d+)/],
  ['QQ', /\bM?QQBrowser\/(\d+)/],
  ['WeChat', /\bMicroMessenger\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:HeadlessChrome|CriOS|Chrome|Chromium)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//],
];

const SYSTEMS: [name: string, sign: RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['HarmonyOS', /\b(?:HarmonyOS|OpenHarmony)\b/],
  ['Windows', /\bWindows NT\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
];

/** What is known of it; null where neither is. */
export function readAgent(agent: string): Partial<Agent> | null {
  const browser = BROWSERS.map(([name, version]) => ({ name, found: version.exec(agent) })).find(({ found }) => found);
  const system = SYSTEMS.find(([, sign]) => sign.test(agent))?.[0];
  if (!browser && !system) return null;
  return { ...(browser && { browser: `${browser.name} ${browser.found![1]}` }), ...(system && { system }) };
}
