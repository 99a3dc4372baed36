package s3csi.volume;

/** What can go wrong when a volume is mounted on a node, beside what the store may say. */
public sealed interface NodeCause extends Cause {
    /** Something still uses the target, or the driver could not get at it yet. */
    record TargetBusy(String target, String problem) implements NodeCause {
        @Override
        public String what() {
            return "Cannot work on target " + Printable.quoted(target) + " now";
        }

        @Override
        public String why() {
            return problem;
        }

        @Override
        public String remedy() {
            return "It will be tried again; find out which process on the node uses the directory if it goes on";
        }
    }

    /** At the target is something else than this volume. */
    record TargetTaken(String target, String found) implements NodeCause {
        @Override
        public String what() {
            return "Cannot publish at target " + Printable.quoted(target);
        }

        @Override
        public String why() {
            return found;
        }

        @Override
        public String remedy() {
            return "Unpublish what is there, or use another target";
        }
    }

    /** Whoever wants a volume taken away or looked at names another one than is there. */
    record TargetOfAnother(String target, String volume) implements NodeCause {
        @Override
        public String what() {
            return "Volume " + Printable.quoted(volume) + " is not at target " + Printable.quoted(target);
        }

        @Override
        public String why() {
            return "another volume is mounted there";
        }

        @Override
        public String remedy() {
            return "Nothing was changed; ask with the id of the volume that is there";
        }
    }

    record NotMounted(String path) implements NodeCause {
        @Override
        public String what() {
            return "Cannot look at " + Printable.quoted(path);
        }

        @Override
        public String why() {
            return "no volume of this driver is mounted there";
        }

        @Override
        public String remedy() {
            return "Publish the volume first";
        }
    }

    record FuseMissing(String problem) implements NodeCause {
        @Override
        public String what() {
            return "Cannot mount on this node";
        }

        @Override
        public String why() {
            return problem;
        }

        @Override
        public String remedy() {
            return "Load the kernel module fuse and let the driver's container use /dev/fuse";
        }
    }

    /** Descriptors, memory, disk or mounts are used up. */
    record NodeExhausted(String action, String problem) implements NodeCause {
        @Override
        public String what() {
            return "Cannot " + action;
        }

        @Override
        public String why() {
            return "this node has run out of something: " + problem;
        }

        @Override
        public String remedy() {
            return "Raise the limit it names or free what is used up; it will be tried again";
        }
    }

    /** The kernel or the file system said no. */
    record MountRefused(String action, String problem) implements NodeCause {
        @Override
        public String what() {
            return "Cannot " + action;
        }

        @Override
        public String why() {
            return "the node refuses it: " + problem;
        }

        @Override
        public String remedy() {
            return "The driver must run as root with CAP_SYS_ADMIN and see kubelet's directory; look at the node's kernel log";
        }
    }

    record EngineMissing(String command, String problem) implements NodeCause {
        @Override
        public String what() {
            return "Cannot start the engine " + Printable.quoted(command);
        }

        @Override
        public String why() {
            return problem;
        }

        @Override
        public String remedy() {
            return "Name the mounter with --mounter-command, or install it next to the driver";
        }
    }

    /** The engine says why it cannot mount. */
    record EngineFailed(String bucket, EngineTrouble trouble, String words, AuthenticationSource keys, String log)
            implements NodeCause {
        @Override
        public String what() {
            return "Cannot mount bucket " + Printable.quoted(bucket);
        }

        @Override
        public String why() {
            return words;
        }

        @Override
        public String remedy() {
            return switch (trouble) {
                        case WRONG_KEYS, NO_CREDENTIALS -> "Correct the keys in " + Cause.placeOf(keys);
                        case NO_SUCH_BUCKET,
                                ACCESS_DENIED,
                                CLOCK_SKEW,
                                WRONG_REGION,
                                STORE_BUSY,
                                STORE_REFUSED,
                                ENDPOINT_UNREACHABLE,
                                CERTIFICATE_NOT_TRUSTED,
                                INVALID_FIELD,
                                ENGINE_FAILED -> "Correct it";
                    }
                    + ", and the next try will mount; the engine's log is in " + log;
        }
    }

    /** The engine neither serves nor ends. */
    record EngineSilent(String subject, String problem) implements NodeCause {
        @Override
        public String what() {
            return "Cannot use the mount of " + Printable.quoted(subject);
        }

        @Override
        public String why() {
            return problem;
        }

        @Override
        public String remedy() {
            return "It will be tried again; look whether the engine is stopped, starved of CPU or waits for the store";
        }
    }

    /** Somebody else than the engine listens where it should. */
    record StrangerOnSocket(String socket, String who) implements NodeCause {
        @Override
        public String what() {
            return "Cannot hand the mount over at " + Printable.quoted(socket);
        }

        @Override
        public String why() {
            return who + " listens there instead of the engine";
        }

        @Override
        public String remedy() {
            return "Nothing was sent; find out which process made that socket";
        }
    }

    /** The API server cannot be asked who shall serve a workload. */
    record ClusterUnreachable(String problem) implements NodeCause {
        @Override
        public String what() {
            return "Cannot find out which Mountpoint Pod serves the volume";
        }

        @Override
        public String why() {
            return problem;
        }

        @Override
        public String remedy() {
            return "Mounts that are there go on; it will be tried again. If it goes on, check the API server, the rights of the"
                    + " node's service account, and that the definition of MountpointS3PodAttachment is installed";
        }
    }

    /** The controller has not said who shall serve a workload. */
    record NotAssigned(String persistentVolume, String workload, String controllerLog) implements NodeCause {
        @Override
        public String what() {
            return "No Mountpoint Pod is assigned to volume " + Printable.quoted(persistentVolume) + " of pod "
                    + workload;
        }

        @Override
        public String why() {
            return "no MountpointS3PodAttachment lists the pod";
        }

        @Override
        public String remedy() {
            return "It will be tried again; see the Events of the pod and of its claim, and the log of the controller: "
                    + controllerLog
                    + ". A pod whose mount of release 1.x has died must be deleted: its successor gets a Mountpoint Pod";
        }
    }

    /** The Mountpoint Pod of a workload does not run. */
    record MountpointPodNotReady(String pod, String problem, String namespace) implements NodeCause {
        @Override
        public String what() {
            return "Mountpoint Pod " + pod + " cannot serve the volume yet";
        }

        @Override
        public String why() {
            return problem;
        }

        @Override
        public String remedy() {
            return "It will be tried again; kubectl describe pod -n " + namespace + " " + pod + " tells more";
        }
    }

    /** Somebody unmounted the source of a Mountpoint Pod, and something still uses it. */
    record SourceUnmounted(String pod, String source, String namespace) implements NodeCause {
        @Override
        public String what() {
            return "Mountpoint Pod " + pod + " cannot serve another workload";
        }

        @Override
        public String why() {
            return Printable.quoted(source) + " was unmounted by hand"
                    + " on the node while it was in use, and the driver finds no target from which to mount it there again";
        }

        @Override
        public String remedy() {
            return "What is mounted goes on. Run kubectl annotate pod -n " + namespace + " " + pod
                    + " s3.csi.scality.com/no-new-workload=true, and delete the pod that waits: the next one gets another Mountpoint Pod";
        }
    }
}
