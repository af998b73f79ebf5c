/**
 * Text that a terminal may be shown. Plain JavaScript, because whatever Node somebody has says its first words with it.
 *
 * C0 controls but tab and newline, DEL and C1 move the cursor, rewrite what stands there or answer in the person's place;
 * bidirectional controls show a line in another order than it has.
 */
const CONTROLS = /[^\P{Cc}\t\n]|\p{Bidi_Control}/gu;

/**
 * Replaces each control by its JSON escape, as \u001b: visible in a sentence, and the same value in a JSON document.
 * @param {string} text
 */
export const terminalText = (text) => text.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`);
