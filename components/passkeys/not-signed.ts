/** The message is shown to the person. */
export class NotSigned extends Error {
  constructor(why: string) {
    super(why);
    this.name = "NotSigned";
  }
}
