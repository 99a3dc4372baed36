module s3csi.example/reverse-proxy

go 1.25
