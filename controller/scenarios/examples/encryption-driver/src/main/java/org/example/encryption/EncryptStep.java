package org.example.encryption;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.txn.Probe;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.txn.StepContext;
import java.io.IOException;

/**
 * Puts a key onto an image. Once it is there, the image counts as encrypted.
 *
 * @param image name of the image
 * @param headers where the keys are kept
 */
record EncryptStep(String image, Headers headers) implements Step<Header> {
  private static final int SHORTEST = 8;

  @Override
  public String name() {
    return "encrypt:" + image;
  }

  @Override
  public Class<Header> resultType() {
    return Header.class;
  }

  @Override
  public Probe<Header> probe(StepContext context) throws IOException {
    return headers.find(image).map(Probe::present).orElseGet(Probe::absent);
  }

  @Override
  public Header apply(StepContext context) throws IOException {
    var passphrase = context.secret(EncryptionHandler.PASSPHRASE);
    Header header = passphrase.use(context, text -> Header.of(image, checked(text)));
    headers.write(header);
    return header;
  }

  @Override
  public void undo(StepContext context, Header done) throws IOException {
    headers.remove(done.image());
  }

  private static String checked(String passphrase) {
    if (passphrase.length() < SHORTEST) {
      throw new EvenkeelException(
          ErrorKind.INVALID, "the passphrase has fewer than " + SHORTEST + " characters");
    }
    return passphrase;
  }
}
