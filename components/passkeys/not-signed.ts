/** The person did not sign with their passkey; the message is the sentence to show. */
export class NotSigned extends Error {
  constructor(why: string) {
    super(why);
    this.name = "NotSigned";
  }
}
