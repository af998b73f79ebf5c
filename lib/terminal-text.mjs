/** Controls move the cursor, rewrite text, answer for the user or reorder lines. Plain JavaScript for any Node. */
const CONTROLS = /[^\P{Cc}\t\n]|\p{Bidi_Control}/gu;

/**
 * Replaces controls by JSON escapes, as \u001b.
 * @param {string} text
 */
export const terminalText = (text) => text.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`);
