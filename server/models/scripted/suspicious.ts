/** No honest text of the demo needs these words: whatever has them tries to steer its reader. */
export const SUSPICIOUS = /untrusted|assistant|instructions|library__publish|publish at once|already reviewed|skip the/i;
