"""What a training tells Danlu of itself; `danlu.log` and the others come from here."""

from danlu.sdk.training.training import Resume, checkpoint, log, resume_from, should_stop

__all__ = ["Resume", "checkpoint", "log", "resume_from", "should_stop"]
