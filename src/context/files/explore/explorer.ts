/** Describes contents, wherever that is done. It never fails: a content that cannot be explored is described plainly. */
export interface Explorer {
  describe(content: Uint8Array, about: ContentAbout): Promise<string>;
}

export interface ContentAbout {
  readonly name: string | null;
  readonly mime: string | null;
}
