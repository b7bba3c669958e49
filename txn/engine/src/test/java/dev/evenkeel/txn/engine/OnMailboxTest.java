package dev.evenkeel.txn.engine;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The scenarios once more, each on the queue and the threads of an engine on its own. */
@ExtendWith(OnMailbox.class)
@DisplayName("On the mailbox driver:")
@Timeout(60)
class OnMailboxTest {
  @Nested
  class Apply extends ApplyTest {}

  @Nested
  class Dependencies extends DependencyTest {}

  @Nested
  class Hang extends HangTest {}

  @Nested
  class Keys extends KeyResultTest {}

  @Nested
  class Late extends LateTest {}

  @Nested
  class Notifications extends NotificationTest {}

  @Nested
  class Observation extends ObservationTest {}

  @Nested
  class Resync extends ResyncTest {}

  @Nested
  class Retry extends RetryTest {}

  @Nested
  class Revert extends RevertTest {}

  @Nested
  class Numbers extends StatisticsTest {}

  @Nested
  class Rules extends RulesTest {}

  @Nested
  class Steps extends StepTest {}

  @Nested
  class Throwing extends ThrowingTest {}

  @Nested
  class Weaknesses extends WeaknessTest {}
}
