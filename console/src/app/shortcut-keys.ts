/** How keys are written ("g j", "mod+k", "?"), recognised and shown. */

/** Whether ⌘ stands where Ctrl does elsewhere. */
export const isMac = /mac|iphone|ipad/i.test(navigator.platform);

const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'Meta', 'CapsLock']);

/** The name of a pressed key, or null for one that names nothing: a bare modifier, a half-written character. */
export function pressed(event: KeyboardEvent, mac = isMac): string | null {
  if (event.isComposing || event.key === 'Process' || event.key === 'Dead' || MODIFIERS.has(event.key)) return null;
  const mod = mac ? event.metaKey : event.ctrlKey;
  const other = mac ? event.ctrlKey : event.metaKey;
  if (other || event.altKey) return null;
  const key = letterOf(event);
  // Shift is part of a sign such as "?", and said aloud with a letter or a named key.
  const shift = event.shiftKey && (key.length > 1 || /^[a-z]$/.test(key));
  return `${mod ? 'mod+' : ''}${shift ? 'shift+' : ''}${key}`;
}

/** Latin letters by their place on keyboards that write others. */
function letterOf(event: KeyboardEvent): string {
  const place = /^Key([A-Z])$/.exec(event.code)?.[1];
  if (place && event.key > '\u007F') return place.toLowerCase();
  return event.key.length === 1 ? event.key.toLowerCase() : event.key;
}

const SIGNS: Record<string, string> = { Enter: '↵', Escape: 'Esc', ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' };

/** A shortcut as keycaps, one list for each press: "g j" is [["G"], ["J"]], "mod+k" is [["Ctrl", "K"]]. */
export function keycaps(keys: string, mac = isMac): string[][] {
  const signs: Record<string, string> = { ...SIGNS, mod: mac ? '⌘' : 'Ctrl', shift: mac ? '⇧' : 'Shift' };
  return keys.split(' ').map((press) => press.split(/\+(?=.)/).map((part) => signs[part] ?? part.toUpperCase()));
}
