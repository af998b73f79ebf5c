/**
 * Text safe for terminals. Plain JavaScript, since any version of Node prints its first messages with it.
 *
 * C0 controls except tab and newline, DEL and C1 move the cursor, rewrite text or answer for the user; bidirectional controls
 * reorder a line.
 */
const CONTROLS = /[^\P{Cc}\t\n]|\p{Bidi_Control}/gu;

/**
 * Replaces each control by its JSON escape, as \u001b: visible in text, and the same value in JSON.
 * @param {string} text
 */
export const terminalText = (text) => text.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`);
